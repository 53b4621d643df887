import { areasOf } from './areas.js';
import { buildVariants } from './build-variants.js';
import type { ProjectGraph } from './project-graph.js';
import { nearest, totalsOf, type Found, type Totals } from './ranked.js';
import { neighbours, reach, type EdgeFilter } from './reach.js';
import { kindMask } from './rows.js';
import { isTest } from './tests.js';
import { callsThatMayUse } from './unresolved.js';

export const CHANGE_TYPES = ['modify_signature', 'modify_body', 'rename', 'delete'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** The code that a change of a symbol may break. */
export interface Impact {
  /** The nearest first, then the most certain. */
  readonly affected: readonly Found[];
  readonly totals: Totals;
  /** Symbols one step away. */
  readonly direct: number;
  /** Steps to the furthest. */
  readonly depth: number;
  /** Modules with affected symbols, those with the most first. */
  readonly modules: readonly number[];
  readonly tests: readonly number[];
  /** Areas of the project other than the target's own. */
  readonly otherAreas: number;
  /** Methods that override the target or one of its methods: they have to change with it. */
  readonly overriders: readonly number[];
  /** Calls of the same name with an unknown target. */
  readonly unresolved: number;
  readonly truncated: boolean;
}

const USES = kindMask(['calls', 'references', 'extends', 'implements']);
const USES_OF_FILES = USES | kindMask(['imports']);
const INHERITANCE = kindMask(['extends', 'implements']);

/** All symbols that depend on a symbol or its contents, over up to `maxDepth` steps. */
export function impactOf(graph: ProjectGraph, target: number, maxDepth: number, limit: number): Impact {
  // An import of the whole file says nothing about the use of one symbol in it.
  const filter: EdgeFilter = { kinds: graph.isModule(target) ? USES_OF_FILES : USES, minConfidence: 0 };
  const whole = withVariants(graph, graph.contents(target));
  const overriders = overridersOf(graph, whole);
  const reached = reach(graph, whole, 'in', filter, maxDepth);
  const totals = totalsOf(graph, reached);
  const { nodes, levels } = reached;
  const affected = nodes.subarray(levels[1]);
  const counts = new Map<number, number>();
  for (const node of affected) {
    const module = graph.moduleOf(node);
    counts.set(module, (counts.get(module) ?? 0) + 1);
  }
  const { names, ofPart } = areasOf(graph);
  const own = names[ofPart[graph.partOf[target]!]!];
  return {
    affected: nearest(graph, reached, 'in', filter, limit),
    totals,
    direct: totals.byDepth.get(1) ?? 0,
    depth: levels.length - 2,
    modules: [...counts].sort(([a, m], [b, n]) => n - m || a - b).map(([module]) => module),
    tests: Array.from(affected).filter((node) => isTest(graph, node)),
    otherAreas: [...totals.byArea.keys()].filter((area) => area !== own).length,
    overriders,
    unresolved: callsThatMayUse(graph, whole),
    truncated: totals.total > limit,
  };
}

/** What calls one variant of a function calls this one in another build. */
function withVariants(graph: ProjectGraph, nodes: readonly number[]): readonly number[] {
  const variants = buildVariants(graph);
  return [...new Set(nodes.flatMap((node) => variants.get(node) ?? [node]))];
}

/** Methods of subtypes with the name of a method among these nodes. */
function overridersOf(graph: ProjectGraph, nodes: readonly number[]): number[] {
  const filter: EdgeFilter = { kinds: INHERITANCE, minConfidence: 0 };
  const known = new Set(nodes);
  const namesOf = new Map<number, Set<string>>();
  for (const node of nodes) {
    const { kind, name } = graph.symbol(node);
    const type = graph.parents[node]!;
    if (kind !== 'method' || type < 0) continue;
    const names = namesOf.get(type);
    if (names) names.add(name);
    else namesOf.set(type, new Set([name]));
  }
  const found = new Set<number>();
  for (const [type, names] of namesOf) {
    if (neighbours(graph, type, 'in', filter).length === 0) continue; // most types: a search takes memory for all nodes
    const subtypes = reach(graph, [type], 'in', filter, 20);
    for (const subtype of subtypes.nodes.subarray(1))
      for (const member of graph.children(subtype))
        if (names.has(graph.symbol(member).name) && !known.has(member)) found.add(member);
  }
  return [...found];
}
