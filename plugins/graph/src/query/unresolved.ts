import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';

/** Number of calls with an unknown target, by the name of the member or function. */
export const unresolvedCalls = perGraph(({ parts }): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { unresolved } of parts) {
    for (const { kind, name } of unresolved) {
      if (kind !== 'calls') continue;
      const last = name.slice(name.lastIndexOf('.') + 1);
      counts.set(last, (counts.get(last) ?? 0) + 1);
    }
  }
  return counts;
});

/** Calls with an unknown target. */
export interface UnresolvedCalls {
  readonly count: number;
  /** What they call, most called first. */
  readonly names: readonly string[];
}

/** Calls with an unknown target and the name of one of these symbols: they may use it. */
export function callsThatMayUse(graph: ProjectGraph, nodes: readonly number[]): UnresolvedCalls {
  const all = unresolvedCalls(graph);
  const names = new Set(nodes.filter((node) => !graph.isModule(node)).map((node) => graph.symbol(node).name));
  const counts = [...names].map((name) => [name, all.get(name) ?? 0] as const).filter(([, n]) => n > 0);
  counts.sort(([, a], [, b]) => b - a);
  return { count: counts.reduce((sum, [, n]) => sum + n, 0), names: counts.map(([name]) => name) };
}

/** Number of calls and imports with an unknown target inside these symbols. */
export function unresolvedIn(graph: ProjectGraph, nodes: Iterable<number>): number {
  const wanted = new Set(nodes);
  const parts = new Set(Array.from(wanted, (node) => graph.partOf[node]!));
  let count = 0;
  for (const part of parts)
    for (const { source } of graph.parts[part]!.unresolved)
      if (wanted.has(graph.starts[part]! + source)) count++;
  return count;
}
