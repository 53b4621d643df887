import { EDGE_KINDS } from './file-part.js';
import type { ProjectGraph } from './project-graph.js';

export interface CountedEdge {
  /** Groups. */
  readonly source: number;
  readonly target: number;
  /** Index in `EDGE_KINDS`. */
  readonly kind: number;
  readonly count: number;
}

/** Edges between different groups of files (-1: none), by kind, the most frequent first. */
export function countEdges({ rows, partOf }: ProjectGraph, groupOf: Int32Array, size: number): CountedEdge[] {
  const counts = new Map<number, number>();
  for (let edge = 0; edge < rows.targets.length; edge++) {
    const source = groupOf[partOf[rows.sources[edge]!]!]!;
    const target = groupOf[partOf[rows.targets[edge]!]!]!;
    if (source < 0 || target < 0 || source === target) continue;
    const key = (source * size + target) * EDGE_KINDS.length + rows.kinds[edge]!;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Array.from(counts, ([key, count]) => {
    const pair = Math.floor(key / EDGE_KINDS.length);
    return { source: Math.floor(pair / size), target: pair % size, kind: key % EDGE_KINDS.length, count };
  }).sort((a, b) => b.count - a.count || a.source - b.source || a.target - b.target || a.kind - b.kind);
}
