import { provide, token } from '@service-mcp/core';
import { ProjectGraphs } from './project-graphs.js';
import type { ProjectGraph } from './project-graph.js';
import { kindMask } from './rows.js';

/** Lines of a file, from 1, inclusive. */
export interface CodeLines {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** A symbol one step from some lines. */
export interface Neighbour extends CodeLines {
  readonly id: string;
  /** Its relation to the lines: they use it, or it uses them. */
  readonly relation: 'used_by' | 'uses';
  /** The symbol in the lines that the step starts from. */
  readonly of: string;
  /** 0 to 1: near to the first lines, certain, and used by several. */
  readonly weight: number;
}

/** Code next to given code, for plugins that explain it. The caller must be admitted to the workspace. */
export interface CodeNeighbours {
  /** Symbols that the lines use by calls and types, and symbols that use the lines, the best first. `lines`: the best first. */
  of(
    scope: { readonly projectId: string; readonly workspaceId: string },
    lines: readonly CodeLines[],
    limit: number,
  ): Promise<Neighbour[]>;
}
export const CodeNeighbours = token<CodeNeighbours>('graph.CodeNeighbours');

export const codeNeighbours = provide(CodeNeighbours, {
  uses: { graphs: ProjectGraphs },
  create: ({ graphs }): CodeNeighbours => ({
    async of({ projectId, workspaceId }, lines, limit) {
      const { graph } = await graphs.read(projectId, workspaceId);
      return neighboursOf(graph, lines, limit);
    },
  }),
});

const FOLLOWED = kindMask(['calls', 'extends', 'implements']);
/** Edges below this are guesses, in hundredths. */
const MIN_CONFIDENCE = 50;
/** Weight of a symbol that uses the lines, relative to one that they use; factor for each further item of `lines`. */
const USER = 0.5;
const NEXT = 0.8;
/** A symbol with more users than this is used everywhere: neither it nor its users say anything about the lines. */
const MAX_USERS = 20;

/** Symbols one step from some lines of a graph. */
export function neighboursOf(graph: ProjectGraph, lines: readonly CodeLines[], limit: number): Neighbour[] {
  const roots = lines.map((each) => symbolsIn(graph, each));
  const inside = new Set(roots.flat());
  const found = new Map<number, Omit<Neighbour, keyof CodeLines | 'id'>>();
  const add = (node: number, root: number, relation: Neighbour['relation'], weight: number): void => {
    if (inside.has(node) || graph.isModule(node)) return;
    const earlier = found.get(node);
    found.set(node, { relation, of: graph.id(root), ...earlier, weight: (earlier?.weight ?? 0) + weight });
  };
  const { rows } = graph;
  const isFollowed = (edge: number) =>
    ((FOLLOWED >> rows.kinds[edge]!) & 1) === 1 && rows.confidences[edge]! >= MIN_CONFIDENCE;
  const isEverywhere = (node: number) => rows.in[node + 1]! - rows.in[node]! > MAX_USERS;
  for (const [rank, nodes] of roots.entries()) {
    for (const root of nodes) {
      const own = NEXT ** rank;
      for (let edge = rows.out[root]!; edge < rows.out[root + 1]!; edge++)
        if (isFollowed(edge) && !isEverywhere(rows.targets[edge]!))
          add(rows.targets[edge]!, root, 'used_by', (own * rows.confidences[edge]!) / 100);
      if (isEverywhere(root)) continue;
      const [from, to] = [rows.in[root]!, rows.in[root + 1]!];
      for (const edge of rows.incoming.subarray(from, to))
        if (isFollowed(edge))
          add(rows.sources[edge]!, root, 'uses', (USER * own * rows.confidences[edge]!) / 100);
    }
  }
  const best = Math.max(1, ...[...found.values()].map(({ weight }) => weight));
  return [...found]
    .sort(([a, { weight: x }], [b, { weight: y }]) => y - x || a - b)
    .slice(0, limit)
    .map(([node, { weight, ...rest }]) => {
      const { startLine, endLine } = graph.symbol(node);
      const place = { path: graph.path(node), startLine, endLine };
      return { ...place, id: graph.id(node), ...rest, weight: weight / best };
    });
}

/** The symbols inside some lines, or else the innermost one around them. */
function symbolsIn(graph: ProjectGraph, { path, startLine, endLine }: CodeLines): number[] {
  const module = graph.node(path);
  if (module === undefined) return [];
  const within: number[] = [];
  let around: number | undefined;
  for (const [index, symbol] of graph.part(module).symbols.entries()) {
    if (index === 0) continue;
    if (symbol.startLine >= startLine && symbol.endLine <= endLine) within.push(module + index);
    else if (symbol.startLine <= startLine && symbol.endLine >= endLine) around = module + index;
  }
  if (within.length > 0) return within;
  return around === undefined ? [] : [around];
}
