import { EDGE_KINDS } from './file-part.js';
import type { ProjectGraph } from './project-graph.js';
import type { Rows } from './rows.js';

/** `out`: along the edges, to used symbols; `in`: against them, to users. */
export type Direction = 'out' | 'in';

/** Which edges a query follows. */
export interface EdgeFilter {
  /** A bit per index of `EDGE_KINDS`: see `kindMask`. */
  readonly kinds: number;
  /** In hundredths. */
  readonly minConfidence: number;
}

/** Nodes by their distance from some roots. */
export interface Reached {
  /** The roots, then the others by distance; each once. */
  readonly nodes: Int32Array;
  /** Distance plus one, per node of the graph; 0 for nodes that were not reached. */
  readonly depths: Uint8Array;
  /** The nodes at distance d are `nodes[levels[d]]` to `nodes[levels[d + 1]]`, exclusive. */
  readonly levels: readonly number[];
}

/** Every node within `maxDepth` steps (at most 254) of the roots. `marks`: those of the edges, in the order of the direction. */
export function reach(
  graph: ProjectGraph,
  roots: Iterable<number>,
  direction: Direction,
  { kinds, minConfidence }: EdgeFilter,
  maxDepth: number,
  marks = direction === 'in' ? graph.rows.inMarks : graph.rows.outMarks,
): Reached {
  const { rows } = graph;
  const nodes = new Int32Array(graph.size);
  const depths = new Uint8Array(graph.size);
  let count = 0;
  for (const root of roots) {
    if (depths[root] !== 0) continue;
    depths[root] = 1;
    nodes[count++] = root;
  }
  const levels = [0, count];
  for (let depth = 2; depth <= maxDepth + 1 && levels.at(-2) !== count; depth++) {
    const start = levels.at(-2)!;
    const end = count;
    count = expand(rows, { nodes, depths, start, end, depth, marks }, direction, { kinds, minConfidence });
    if ((kinds & CONTAINS) !== 0)
      for (let at = start; at < end; at++) {
        const node = nodes[at]!;
        const inside = direction === 'out' ? graph.children(node) : graph.parents.subarray(node, node + 1);
        for (const other of inside) {
          if (other < 0 || depths[other] !== 0) continue;
          depths[other] = depth;
          nodes[count++] = other;
        }
      }
    if (count > end) levels.push(count);
    else break;
  }
  return { nodes: nodes.subarray(0, count), depths, levels };
}

/** A level of a search: the nodes from `start` to `end`, exclusive, and the depth of their neighbours. */
interface Level {
  readonly nodes: Int32Array;
  readonly depths: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly marks: Uint16Array;
}

/** Adds the neighbours of a level to its nodes. Returns the new number of nodes. A separate loop compiles well. */
function expand(
  rows: Rows,
  { nodes, depths, start, end, depth, marks }: Level,
  direction: Direction,
  { kinds, minConfidence }: EdgeFilter,
): number {
  const inward = direction === 'in';
  const offsets = inward ? rows.in : rows.out;
  const ends = inward ? rows.inSources : rows.targets;
  let count = end;
  for (let at = start; at < end; at++) {
    const node = nodes[at]!;
    const last = offsets[node + 1]!;
    for (let i = offsets[node]!; i < last; i++) {
      const other = ends[i]!;
      if (depths[other] !== 0) continue;
      const mark = marks[i]!;
      if (((kinds >> (mark >> 8)) & 1) === 0 || (mark & 255) < minConfidence) continue;
      depths[other] = depth;
      nodes[count++] = other;
    }
  }
  return count;
}

/** A step from one node to another. `edge`: -1 if the source contains the target. */
export interface Step {
  readonly source: number;
  readonly target: number;
  readonly edge: number;
}

/** The steps by which a node was reached from the nodes one step nearer to the roots, the most certain first. */
export function stepsTo(
  graph: ProjectGraph,
  node: number,
  { depths }: Reached,
  direction: Direction,
  { kinds, minConfidence }: EdgeFilter,
): Step[] {
  const { rows, parents } = graph;
  const depth = depths[node]!;
  const steps: Step[] = [];
  if (depth < 2) return steps;
  const inward = direction === 'in';
  const offsets = inward ? rows.out : rows.in;
  for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
    const edge = inward ? i : rows.incoming[i]!;
    const source = rows.sources[edge]!;
    const target = rows.targets[edge]!;
    const other = inward ? target : source;
    if (depths[other] !== depth - 1 || ((kinds >> rows.kinds[edge]!) & 1) === 0) continue;
    if (rows.confidences[edge]! >= minConfidence) steps.push({ source, target, edge });
  }
  steps.sort((a, b) => rows.confidences[b.edge]! - rows.confidences[a.edge]! || a.edge - b.edge);
  if ((kinds & CONTAINS) === 0) return steps;
  for (const other of inward ? graph.children(node) : [parents[node]!]) {
    if (other < 0 || depths[other] !== depth - 1) continue;
    steps.push(
      inward ? { source: node, target: other, edge: -1 } : { source: other, target: node, edge: -1 },
    );
  }
  return steps;
}

/** The nodes one step from a node, each as often as edges lead there. */
export function neighbours(
  { rows }: ProjectGraph,
  node: number,
  direction: Direction,
  { kinds, minConfidence }: EdgeFilter,
): number[] {
  const inward = direction === 'in';
  const offsets = inward ? rows.in : rows.out;
  const found: number[] = [];
  for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
    const edge = inward ? rows.incoming[i]! : i;
    if (((kinds >> rows.kinds[edge]!) & 1) === 1 && rows.confidences[edge]! >= minConfidence)
      found.push(inward ? rows.sources[edge]! : rows.targets[edge]!);
  }
  return found;
}

const CONTAINS = 1 << EDGE_KINDS.indexOf('contains');
