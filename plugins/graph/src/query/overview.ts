import { areasOf } from './areas.js';
import { countEdges } from './count-edges.js';
import { EDGE_KINDS } from './file-part.js';
import type { EdgeKind } from '../model.js';
import { positionsOf } from './layout.js';
import type { ProjectGraph } from './project-graph.js';

export const OVERVIEW_LEVELS = ['area', 'module'] as const;

export interface OverviewRequest {
  readonly level: (typeof OVERVIEW_LEVELS)[number];
  readonly pathPrefix: string;
  readonly limit: number;
}

export interface OverviewNode {
  /** The path of the directory or file; `.` for the root. */
  readonly id: string;
  readonly path: string;
  /** The path of the directory that it is counted under; its own where it is one. */
  readonly area: string;
  readonly symbols: number;
  readonly files: number;
  readonly x: number;
  readonly y: number;
}

export interface Overview {
  readonly nodes: readonly OverviewNode[];
  /** Between different nodes, the most frequent first. */
  readonly edges: ReadonlyArray<{
    readonly source: string;
    readonly target: string;
    readonly kind: EdgeKind;
    readonly count: number;
  }>;
  readonly totals: {
    readonly nodes: number;
    readonly edges: number;
    readonly files: number;
    readonly symbols: number;
  };
  readonly truncated: boolean;
}

const EDGES_PER_NODE = 4;

/** A map: directories or files, with how many edges of each kind run between them; those with the most symbols first. */
export async function overviewOf(graph: ProjectGraph, request: OverviewRequest): Promise<Overview> {
  const { level, pathPrefix, limit } = request;
  const positions = await positionsOf(graph);
  const areas = areasOf(graph);
  const isArea = level === 'area';
  const size = isArea ? areas.names.length : graph.parts.length;
  const files = new Int32Array(size);
  const symbols = new Int32Array(size);
  const groupOf = new Int32Array(graph.parts.length).fill(-1);
  for (const [index, part] of graph.parts.entries()) {
    if (!part.path.startsWith(pathPrefix)) continue;
    const group = isArea ? areas.ofPart[index]! : index;
    groupOf[index] = group;
    files[group]!++;
    symbols[group]! += part.symbols.length - 1;
  }
  const groups = Array.from(files.keys()).filter((group) => files[group]! > 0);
  const shown = groups.toSorted((a, b) => symbols[b]! - symbols[a]! || a - b).slice(0, limit);
  const nameOf = (group: number) => (isArea ? areas.names[group]! : graph.parts[group]!.path);
  const { xs, ys } = isArea ? positions.areas : positions.modules;
  const all = countEdges(graph, groupOf, size);
  const visible = new Set(shown);
  const edges = all.filter(({ source, target }) => visible.has(source) && visible.has(target));
  return {
    nodes: shown
      .toSorted((a, b) => a - b)
      .map((group) => ({
        id: nameOf(group),
        path: nameOf(group),
        area: areas.names[isArea ? group : areas.ofPart[group]!]!,
        symbols: symbols[group]!,
        files: files[group]!,
        x: xs[group]!,
        y: ys[group]!,
      })),
    edges: edges.slice(0, limit * EDGES_PER_NODE).map(({ source, target, kind, count }) => ({
      source: nameOf(source),
      target: nameOf(target),
      kind: EDGE_KINDS[kind]!,
      count,
    })),
    totals: {
      nodes: groups.length,
      edges: all.length,
      files: files.reduce((sum, n) => sum + n, 0),
      symbols: symbols.reduce((sum, n) => sum + n, 0),
    },
    truncated: groups.length > shown.length || edges.length > limit * EDGES_PER_NODE,
  };
}
