import { components, shortestWay, type Adjacency } from './components.js';
import { REASONS } from './file-part.js';
import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';
import { kindMask, offsets } from './rows.js';

export const CYCLE_LEVELS = ['module', 'function'] as const;
export type CycleLevel = (typeof CYCLE_LEVELS)[number];

/** Symbols that all depend on each other. */
export interface Cycle {
  readonly level: CycleLevel;
  /** In their order. */
  readonly members: readonly number[];
  /** The edges of a shortest cycle through the first member, from there. */
  readonly edges: readonly number[];
}

/** The edges of a level between its groups: parts for modules, nodes for functions. */
interface Level extends Adjacency {
  /** The edge of the graph for each of `targets`. */
  readonly edges: readonly number[];
  readonly cycles: readonly number[][];
  /** The members of its cycle, for each group in one. */
  readonly cycleOf: ReadonlyMap<number, ReadonlySet<number>>;
}

const CALLS = kindMask(['calls']);
const IMPORTS = kindMask(['imports']);
/** Reasons of edges that depend on a name in the source file. The call of a method of a value says nothing about files. */
const NAMING = new Set([REASONS.indexOf('import'), REASONS.indexOf('scope')]);
/** In hundredths: guesses do not make cycles. */
const MIN_CONFIDENCE = 50;
const MAX_CYCLES = 10;
/** Edges that the searches for them visit, each of which may visit a whole cycle. Then no further one begins. */
const MAX_STEPS = 400_000;

const levelsOf = perGraph((graph): Record<CycleLevel, Level> => ({
  module: levelOf(graph, 'module'),
  function: levelOf(graph, 'function'),
}));

/** Cycles of modules, then of functions, the largest first. A function that calls itself alone is not one. */
export function cyclesOf(graph: ProjectGraph): Cycle[] {
  const levels = levelsOf(graph);
  return CYCLE_LEVELS.flatMap((level) =>
    levels[level].cycles.map((groups) => ({
      level,
      members: level === 'module' ? groups.map((part) => graph.starts[part]!) : groups,
      edges: edgesOf(levels[level], shortestCycle(levels[level], groups[0]!)),
    })),
  );
}

/** Shortest cycles through a node, or through the functions in it: up to 10, each as nodes that start with one of these. */
export function cyclesThrough(graph: ProjectGraph, node: number): number[][] {
  const isFile = graph.isModule(node);
  const level = levelsOf(graph)[isFile ? 'module' : 'function'];
  const groups = isFile ? [graph.partOf[node]!] : graph.contents(node);
  const found = new Map<string, number[]>();
  const visited = { edges: 0 };
  for (const group of groups) {
    const members = level.cycleOf.get(group);
    if (!members) continue;
    for (const target of new Set(level.targets.subarray(level.starts[group], level.starts[group + 1]))) {
      if (target === group || !members.has(target)) continue;
      if (found.size >= MAX_CYCLES || visited.edges++ >= MAX_STEPS) break;
      const cycle = [group, ...shortestWay(level, target, group, members, visited)];
      const key = [...cycle].sort((a, b) => a - b).join(' ');
      if (!found.has(key)) found.set(key, isFile ? cycle.map((part) => graph.starts[part]!) : cycle);
    }
  }
  return [...found.values()].sort((a, b) => a.length - b.length);
}

function levelOf(graph: ProjectGraph, level: CycleLevel): Level {
  const { rows } = graph;
  const size = level === 'module' ? graph.parts.length : graph.size;
  const groupOf = (node: number) => (level === 'module' ? graph.partOf[node]! : node);
  const edges: number[] = [];
  for (let edge = 0; edge < rows.targets.length; edge++)
    if (rows.confidences[edge]! >= MIN_CONFIDENCE && isEdgeOf(level, graph, edge)) edges.push(edge);
  const ends = (nodes: Int32Array) => Int32Array.from(edges, (edge) => groupOf(nodes[edge]!));
  const adjacency = { starts: offsets(ends(rows.sources), size), targets: ends(rows.targets) };
  const cycles = components(adjacency).sort((a, b) => b.length - a.length || a[0]! - b[0]!);
  const cycleOf = new Map<number, ReadonlySet<number>>();
  for (const cycle of cycles) {
    const members = new Set(cycle);
    for (const group of cycle) cycleOf.set(group, members);
  }
  return { ...adjacency, edges, cycles, cycleOf };
}

function isEdgeOf(level: CycleLevel, graph: ProjectGraph, edge: number): boolean {
  const { rows, partOf } = graph;
  const kind = rows.kinds[edge]!;
  if (level === 'function') return ((CALLS >> kind) & 1) === 1;
  const packages = packagesOf(graph);
  if (packages[partOf[rows.sources[edge]!]!] === packages[partOf[rows.targets[edge]!]!]) return false;
  return ((IMPORTS >> kind) & 1) === 1 || NAMING.has(rows.reasons[edge]!);
}

/** The parts that are one module: the files of a package of Go. Per part the first of them. */
const packagesOf = perGraph(({ parts }): Int32Array => {
  const first = new Map<string, number>();
  return Int32Array.from(parts, ({ language, path }, index) => {
    if (language !== 'go') return index;
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const known = first.get(folder) ?? index;
    first.set(folder, known);
    return known;
  });
});

function shortestCycle(level: Level, group: number): number[] {
  return shortestWay(level, group, group, level.cycleOf.get(group)!);
}

function edgesOf({ starts, targets, edges }: Level, cycle: readonly number[]): number[] {
  return cycle.map((group, i) => {
    const next = cycle[(i + 1) % cycle.length]!;
    for (let at = starts[group]!; at < starts[group + 1]!; at++) if (targets[at] === next) return edges[at]!;
    return -1;
  });
}
