import { areasOf } from './areas.js';
import type { ProjectGraph } from './project-graph.js';
import { stepsTo, type Direction, type EdgeFilter, type Reached, type Step } from './reach.js';

/** A node that a query reached. */
export interface Found {
  readonly node: number;
  readonly depth: number;
  /** The steps to it from nodes one step nearer, the most certain first. */
  readonly steps: readonly Step[];
  /** Confidence of the most certain path from a root: the product of its edges, 0 to 1. */
  readonly confidence: number;
}

/** The nearest of the reached nodes without the roots, by depth, then confidence, up to `limit`. */
export function nearest(
  graph: ProjectGraph,
  reached: Reached,
  direction: Direction,
  filter: EdgeFilter,
  limit: number,
): Found[] {
  const { nodes, levels } = reached;
  const { confidences } = graph.rows;
  const found: Found[] = [];
  let before = new Map<number, number>(); // confidences of the level before
  for (let depth = 1; depth + 1 < levels.length && found.length < limit; depth++) {
    const level = Array.from(nodes.subarray(levels[depth], levels[depth + 1]), (node): Found => {
      const steps = stepsTo(graph, node, reached, direction, filter);
      let confidence = 0;
      for (const { source, target, edge } of steps) {
        const nearer = before.get(direction === 'in' ? target : source) ?? 1;
        confidence = Math.max(confidence, edge < 0 ? nearer : (nearer * confidences[edge]!) / 100);
      }
      return { node, depth, steps, confidence };
    });
    before = new Map(level.map(({ node, confidence }) => [node, confidence]));
    level.sort((a, b) => b.confidence - a.confidence || a.node - b.node);
    for (const item of level) if (found.length < limit) found.push(item);
  }
  return found;
}

/** True counts of reached nodes without the roots. */
export interface Totals {
  readonly total: number;
  /** By distance, from 1. */
  readonly byDepth: ReadonlyMap<number, number>;
  /** By area, the largest first. */
  readonly byArea: ReadonlyMap<string, number>;
}

export function totalsOf(graph: ProjectGraph, { nodes, levels }: Reached): Totals {
  const { names, ofPart } = areasOf(graph);
  const counts = new Int32Array(names.length);
  for (const node of nodes.subarray(levels[1])) counts[ofPart[graph.partOf[node]!]!]!++;
  const byArea = [...counts.entries()]
    .filter(([, count]) => count > 0)
    .sort(([a, m], [b, n]) => n - m || a - b)
    .map(([area, count]): [string, number] => [names[area]!, count]);
  const byDepth = levels.slice(2).map((end, i): [number, number] => [i + 1, end - levels[i + 1]!]);
  return { total: nodes.length - levels[1]!, byDepth: new Map(byDepth), byArea: new Map(byArea) };
}
