import { components } from './components.js';
import { EDGE_KINDS } from './file-part.js';
import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';
import { neighbours, reach, stepsTo, type Direction, type EdgeFilter, type Reached } from './reach.js';
import { offsets } from './rows.js';

/** Calls of a path at most. */
export const MAX_CALLS = 30;

/** Limits of a search for paths. */
export interface PathLimits {
  /** Calls of a path. */
  readonly maxDepth: number;
  readonly maxPaths: number;
}

/** A chain of calls, from one of the nodes that the search started at. */
export interface CallPath {
  readonly nodes: readonly number[];
  /** One between each two nodes. */
  readonly edges: readonly number[];
  /** Product of its edges, 0 to 1. */
  readonly confidence: number;
}

export interface CallPaths {
  /** The shortest first, then the most certain. */
  readonly paths: readonly CallPath[];
  /** True when there are, or may be, further paths. */
  readonly truncated: boolean;
  /** The end of the search, when there is no path. */
  readonly furthest?: Furthest;
}

/** What a search reads of each edge: see `Rows`. */
interface Marks {
  readonly in: Uint16Array;
  readonly out: Uint16Array;
}

/** The kind in {@link passedMarks} of references to functions. */
export const PASSED = EDGE_KINDS.length;
const REFERENCES = EDGE_KINDS.indexOf('references');
const FUNCTIONS: ReadonlySet<string> = new Set(['function', 'method']);
/** How certain it is that a function which is passed on, returned or stored is called. */
const CALLED_ELSEWHERE = 0.5;

/** Marks in which references to functions are of a kind of their own: a function may be called where it is passed to. */
export const passedMarks = perGraph((graph): Marks => {
  const { outMarks, targets, incoming } = graph.rows;
  const out = outMarks.map((mark, edge) => {
    const passes = mark >> 8 === REFERENCES && FUNCTIONS.has(graph.symbol(targets[edge]!).kind);
    return passes ? (PASSED << 8) | (mark & 255) : mark;
  });
  return { out, in: outMarks.map((_, i) => out[incoming[i]!]!) };
});

function marksOf({ rows }: ProjectGraph): Marks {
  return { in: rows.inMarks, out: rows.outMarks };
}

/** The end of a search. */
export interface Furthest {
  /** One of those most steps away. */
  readonly node: number;
  readonly depth: number;
  /** Nodes that were reached. */
  readonly reached: number;
}

/** Edges that one search visits. Then it stops with the paths found so far. */
const MAX_STEPS = 400_000;
/** Paths of one length, of which the most certain are kept. */
const MAX_CANDIDATES = 5000;

/**
 * Chains from `from` to the ends of all calls: a shortest one to each node whose calls lead nowhere else, since it has none or
 * they only come back to it, and to each with calls beyond `maxDepth`.
 */
export function pathsToEnds(
  graph: ProjectGraph,
  from: readonly number[],
  direction: Direction,
  filter: EdgeFilter,
  { maxDepth, maxPaths }: PathLimits,
): CallPaths {
  const reached = reach(graph, from, direction, filter, maxDepth);
  const { nodes, levels, depths } = reached;
  const ends: number[] = [];
  let isCut = false;
  let recursion: ReadonlySet<number> | undefined;
  const isEnd = (node: number, next: readonly number[]): boolean =>
    next.every((other) => other === node) || (recursion ??= recursionIn(graph, direction, filter)).has(node);
  for (const node of nodes.subarray(levels[1])) {
    const next = neighbours(graph, node, direction, filter);
    const goesOn = next.some((other) => depths[other] === 0);
    isCut ||= goesOn;
    const isLast = next.every((other) => depths[other]! <= depths[node]!);
    if (goesOn || (isLast && isEnd(node, next))) ends.push(node);
    if (ends.length > maxPaths) break;
  }
  const paths = ends.slice(0, maxPaths).map((end) => wayTo(graph, end, reached, direction, filter));
  return {
    paths: ranked(paths),
    truncated: ends.length > maxPaths || isCut,
    ...(paths.length === 0 && { furthest: furthestOf(reached) }),
  };
}

/**
 * Simple paths from `from` to `to`, shortest first: distances to `to`, then a depth-first search for each length that turns
 * back where the rest is too short.
 */
export function pathsBetween(
  graph: ProjectGraph,
  from: readonly number[],
  to: readonly number[],
  direction: Direction,
  filter: EdgeFilter,
  { maxDepth, maxPaths }: PathLimits,
  marks: Marks = marksOf(graph),
): CallPaths {
  const inward = direction === 'in';
  const [own, back] = inward ? [marks.in, marks.out] : [marks.out, marks.in];
  const { depths: rest } = reach(graph, to, inward ? 'out' : 'in', filter, maxDepth, back);
  const { rows } = graph;
  const offsets = inward ? rows.in : rows.out;
  const ends = inward ? rows.sources : rows.targets;
  const starts = new Set(from);
  const goals = new Set(to);
  const onPath = new Uint8Array(graph.size);
  const nodes: number[] = [];
  const edges: number[] = [];
  let found: CallPath[] = [];
  let steps = 0;

  function search(node: number, left: number): void {
    nodes.push(node);
    onPath[node] = 1;
    for (let i = offsets[node]!; i < offsets[node + 1]! && found.length < MAX_CANDIDATES; i++) {
      if (++steps > MAX_STEPS) break;
      const edge = inward ? rows.incoming[i]! : i;
      const other = ends[edge]!;
      const distance = rest[other]!; // one more than the steps that are left from there; 0: none lead to the goal
      if (distance === 0 || distance > left) continue;
      const mark = marks.out[edge]!;
      if (((filter.kinds >> (mark >> 8)) & 1) === 0 || (mark & 255) < filter.minConfidence) continue;
      edges.push(edge);
      if (goals.has(other)) {
        if (left === 1) found.push(pathOf(graph, [...nodes, other], [...edges]));
      } else if (left > 1 && onPath[other] === 0 && !starts.has(other)) search(other, left - 1);
      edges.pop();
    }
    onPath[node] = 0;
    nodes.pop();
  }

  const paths: CallPath[] = [];
  for (let length = 1; length <= maxDepth && paths.length <= maxPaths && steps <= MAX_STEPS; length++) {
    found = [];
    for (const start of starts) search(start, length);
    for (const path of ranked(found)) paths.push(path);
  }
  return {
    paths: paths.slice(0, maxPaths),
    truncated: paths.length > maxPaths || steps > MAX_STEPS,
    ...(paths.length === 0 && { furthest: furthestOf(reach(graph, from, direction, filter, maxDepth, own)) }),
  };
}

/** Nodes that call themselves, directly or not, and nothing that does not call them in turn. */
function recursionIn(graph: ProjectGraph, direction: Direction, filter: EdgeFilter): Set<number> {
  const { rows, size } = graph;
  const edges: number[] = [];
  for (let edge = 0; edge < rows.targets.length; edge++)
    if (((filter.kinds >> rows.kinds[edge]!) & 1) === 1 && rows.confidences[edge]! >= filter.minConfidence)
      edges.push(edge);
  const sources = Int32Array.from(edges, (edge) => rows.sources[edge]!);
  const targets = Int32Array.from(edges, (edge) => rows.targets[edge]!);
  const found = new Set<number>();
  for (const members of components({ starts: offsets(sources, size), targets })) {
    const inside = new Set(members);
    const stays = (node: number) =>
      neighbours(graph, node, direction, filter).every((other) => inside.has(other));
    if (members.every(stays)) for (const node of members) found.add(node);
  }
  return found;
}

function furthestOf({ nodes, depths, levels }: Reached): Furthest {
  const node = nodes.at(-1)!; // a search starts at one node or more
  return { node, depth: depths[node]! - 1, reached: nodes.length - levels[1]! };
}

function ranked(paths: CallPath[]): CallPath[] {
  return paths.sort((a, b) => a.edges.length - b.edges.length || b.confidence - a.confidence);
}

function pathOf({ rows }: ProjectGraph, nodes: number[], edges: number[]): CallPath {
  const chanceOf = (edge: number) =>
    (rows.confidences[edge]! / 100) * (rows.kinds[edge] === REFERENCES ? CALLED_ELSEWHERE : 1);
  const confidence = edges.reduce((product, edge) => product * chanceOf(edge), 1);
  return { nodes, edges, confidence };
}

/** The path to a reached node along the most certain step at each node. */
function wayTo(
  graph: ProjectGraph,
  end: number,
  reached: Reached,
  direction: Direction,
  filter: EdgeFilter,
): CallPath {
  const nodes = [end];
  const edges: number[] = [];
  for (let node = end; ;) {
    const [step] = stepsTo(graph, node, reached, direction, filter);
    if (!step) return pathOf(graph, nodes.reverse(), edges.reverse());
    node = direction === 'out' ? step.source : step.target;
    nodes.push(node);
    edges.push(step.edge);
  }
}
