import { areasOf } from './areas.js';
import { buildVariants } from './build-variants.js';
import { reachUsers } from './given-calls.js';
import { membersOf, typesOfMethod } from './members.js';
import type { ProjectGraph } from './project-graph.js';
import { nearest, totalsOf, type Found, type Totals } from './ranked.js';
import { neighbours, type EdgeFilter, type Reached } from './reach.js';
import { kindMask } from './rows.js';
import { isTest } from './tests.js';
import { callsThatMayUse, type UnresolvedCalls } from './unresolved.js';

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
  /** Symbols that use functions inside a function, which it passes on or returns, and the names of those. */
  readonly inside: { readonly users: number; readonly names: readonly string[] };
  /** Those that may use it. */
  readonly unresolved: UnresolvedCalls;
  /** True when more is affected, or more methods may override the target. */
  readonly truncated: boolean;
}

const USES = kindMask(['calls', 'references', 'extends', 'implements']);
const USES_OF_FILES = USES | kindMask(['imports']);
const INHERITANCE: EdgeFilter = { kinds: kindMask(['extends', 'implements']), minConfidence: 0 };
/** Steps from a type to those below it that are searched for overriders. */
const MAX_INHERITANCE = 20;
/** Types, edges and members that one search for overriders visits. Then it stops with those found so far. */
const MAX_STEPS = 1_000_000;

/** All symbols that depend on a symbol, or on the contents of a type or file, over up to `maxDepth` steps. */
export function impactOf(graph: ProjectGraph, target: number, maxDepth: number, limit: number): Impact {
  // An import of the whole file says nothing about the use of one symbol in it.
  const filter: EdgeFilter = { kinds: graph.isModule(target) ? USES_OF_FILES : USES, minConfidence: 0 };
  const whole = withVariants(graph, graph.usable(target));
  const { overriders, isComplete } = overridersOf(graph, whole);
  const reached = reachUsers(graph, whole, filter, maxDepth);
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
    inside: usesInside(graph, graph.contents(target), reached, filter),
    unresolved: callsThatMayUse(graph, whole),
    truncated: totals.total > limit || !isComplete,
  };
}

/** Uses of contents that are not roots of a search, by symbols that this did not reach. */
function usesInside(
  graph: ProjectGraph,
  contents: readonly number[],
  { depths }: Reached,
  filter: EdgeFilter,
): Impact['inside'] {
  const own = new Set(contents);
  const users = new Set<number>();
  const used = contents.filter((node) => {
    const others = depths[node] === 1 ? [] : neighbours(graph, node, 'in', filter);
    const unreached = others.filter((other) => depths[other] === 0 && !own.has(other));
    for (const other of unreached) users.add(other);
    return unreached.length > 0;
  });
  return { users: users.size, names: used.map((node) => graph.symbol(node).name) };
}

/** What calls one variant of a function calls this one in another build. */
function withVariants(graph: ProjectGraph, nodes: readonly number[]): readonly number[] {
  const variants = buildVariants(graph);
  return [...new Set(nodes.flatMap((node) => variants.get(node) ?? [node]))];
}

/** Methods of subtypes with the name of a method among these nodes. */
function overridersOf(
  graph: ProjectGraph,
  nodes: readonly number[],
): { readonly overriders: number[]; readonly isComplete: boolean } {
  const known = new Set(nodes);
  const namesOf = new Map<number, Set<string>>();
  for (const node of nodes) {
    const { kind, name } = graph.symbol(node);
    if (kind !== 'method') continue;
    for (const type of typesOfMethod(graph, node)) {
      const names = namesOf.get(type);
      if (names) names.add(name);
      else namesOf.set(type, new Set([name]));
    }
  }
  const found = new Set<number>();
  const budget = { steps: MAX_STEPS };
  for (const [type, names] of namesOf)
    for (const subtype of subtypesOf(graph, type, budget)) {
      if (budget.steps <= 0) break;
      for (const member of membersOf(graph, subtype)) {
        budget.steps--;
        if (names.has(graph.symbol(member).name) && !known.has(member)) found.add(member);
      }
    }
  return { overriders: [...found], isComplete: budget.steps > 0 };
}

/** The types below one, the nearest first, as far as the steps left allow. Takes memory for these alone, not for all nodes. */
function subtypesOf(graph: ProjectGraph, type: number, budget: { steps: number }): number[] {
  const reached = new Set([type]);
  let level = [type];
  for (let depth = 0; depth < MAX_INHERITANCE && level.length > 0; depth++) {
    const next: number[] = [];
    for (const node of level) {
      if (budget.steps <= 0) break;
      const below = neighbours(graph, node, 'in', INHERITANCE);
      budget.steps -= below.length + 1;
      for (const each of below) {
        if (reached.has(each)) continue;
        reached.add(each);
        next.push(each);
      }
    }
    level = next;
  }
  reached.delete(type);
  return [...reached];
}
