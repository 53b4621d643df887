import { entryPoints } from './entry-points.js';
import { EDGE_KINDS } from './file-part.js';
import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';
import { kindMask } from './rows.js';
import { unresolvedCalls } from './unresolved.js';

/** A symbol that nothing reaches from an entry point. */
export interface UnusedSymbol {
  readonly node: number;
  /** A sentence. */
  readonly reason: string;
}

export interface Unused {
  /** In order of path and source; a symbol inside an unused one is not listed. */
  readonly symbols: readonly UnusedSymbol[];
  /** Symbols left out because a call of their name has an unknown target. */
  readonly uncertain: number;
}

const REPORTED: ReadonlySet<string> = new Set([
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'variable',
]);
/** Kinds whose parts are used with them. */
const WHOLE: ReadonlySet<string> = new Set(['interface', 'type', 'enum', 'variable', 'function', 'method']);
const INHERITANCE = kindMask(['extends', 'implements']);
/** Called by the language: constructors, protocols of Python, PHP and Ruby. */
const IMPLICIT =
  /^(?:__\w+|constructor|initialize|toString|toJSON|valueOf|finalize|dispose|Dispose|drop|Drop)$/;

export const unusedOf = perGraph((graph): Unused => {
  const used = usedSymbols(graph);
  const unresolved = unresolvedCalls(graph);
  const symbols: UnusedSymbol[] = [];
  let uncertain = 0;
  for (let node = 0; node < graph.size; node++) {
    if (used[node] === 1 || !isReported(graph, used, node)) continue;
    if (unresolved.has(graph.symbol(node).name)) uncertain++;
    else symbols.push({ node, reason: reasonFor(graph, node) });
  }
  return { symbols, uncertain };
});

/** 1 for each node that is reached from an entry point. */
function usedSymbols(graph: ProjectGraph): Uint8Array {
  const { rows, parents, size } = graph;
  const used = new Uint8Array(size);
  const queue: number[] = [];
  const use = (node: number) => {
    if (used[node] === 1) return;
    used[node] = 1;
    queue.push(node);
  };
  for (const root of entryPoints(graph)) use(root);
  const inherits = inheritingTypes(graph);
  for (const node of queue) {
    for (let edge = rows.out[node]!; edge < rows.out[node + 1]!; edge++) use(rows.targets[edge]!);
    if (parents[node]! >= 0) use(parents[node]!); // the code around a used symbol runs
    const { kind } = graph.symbol(node);
    if (graph.isModule(node)) continue;
    for (const child of graph.children(node)) {
      const inside = graph.symbol(child);
      const isPart = WHOLE.has(kind) && inside.kind !== 'function';
      // What a type inherits may call any of its methods.
      if (isPart || inside.kind === 'variable' || inherits.has(node) || IMPLICIT.test(inside.name))
        use(child);
    }
  }
  return used;
}

/** Types with a supertype, in the project or outside. */
function inheritingTypes(graph: ProjectGraph): Set<number> {
  const found = new Set<number>();
  for (const [index, { externals }] of graph.parts.entries())
    for (const { kind, source } of externals)
      if (((INHERITANCE >> EDGE_KINDS.indexOf(kind)) & 1) === 1) found.add(graph.starts[index]! + source);
  const { sources, kinds } = graph.rows;
  for (const [edge, kind] of kinds.entries())
    if (((INHERITANCE >> kind) & 1) === 1) found.add(sources[edge]!);
  return found;
}

function isReported(graph: ProjectGraph, used: Uint8Array, node: number): boolean {
  const { kind, test } = graph.symbol(node);
  const parent = graph.parents[node]!;
  if (test || parent < 0 || !REPORTED.has(kind) || !graph.part(node).complete) return false;
  if (!graph.isModule(parent)) return used[parent] === 1 && kind !== 'variable';
  return true;
}

function reasonFor(graph: ProjectGraph, node: number): string {
  const { rows } = graph;
  const users = new Set<number>();
  for (let i = rows.in[node]!; i < rows.in[node + 1]!; i++) {
    const source = rows.sources[rows.incoming[i]!]!;
    if (source !== node) users.add(source);
  }
  const [user] = users;
  const exported = graph.symbol(node).exported ? 'It is exported, but no entry point offers it. ' : '';
  if (user === undefined) return `${exported}No code of the project uses it.`;
  const more = users.size > 1 ? ` and ${users.size - 1} more` : '';
  return `${exported}Only unused code uses it: ${graph.id(user)}${more}.`;
}
