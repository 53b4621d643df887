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
  /** Where the symbol was `asked` for: the line of the neighbour that uses it. */
  readonly usedAt?: number;
  /** 0 to 1: near to the first lines, certain, and used by several. */
  readonly weight: number;
}

/** Code next to given code, for plugins that explain it. The caller must be admitted to the workspace. */
export interface CodeNeighbours {
  /**
   * Symbols that the lines use by calls and types, and symbols that use the lines, the best first. `lines`: the best first.
   * `asked`: names of symbols whose users come before all others, however many there are.
   */
  of(
    scope: { readonly projectId: string; readonly workspaceId: string },
    lines: readonly CodeLines[],
    limit: number,
    asked?: ReadonlySet<string>,
  ): Promise<Neighbour[]>;
}
export const CodeNeighbours = token<CodeNeighbours>('graph.CodeNeighbours');

export const codeNeighbours = provide(CodeNeighbours, {
  uses: { graphs: ProjectGraphs },
  create: ({ graphs }): CodeNeighbours => ({
    async of({ projectId, workspaceId }, lines, limit, asked) {
      const { graph } = await graphs.read(projectId, workspaceId);
      return neighboursOf(graph, lines, limit, asked);
    },
  }),
});

const FOLLOWED = kindMask(['calls', 'extends', 'implements']);
/** Edges below this are guesses, in hundredths. */
const MIN_CONFIDENCE = 50;
/** Weight of a symbol that uses the lines, relative to one that they use; factor for each further item of `lines`. */
const USER = 0.5;
/** Weight of a symbol that uses what was asked for. */
const ASKED = 5;
const NEXT = 0.8;
/** A symbol with more users than this is used everywhere: neither it nor its users say anything about the lines. */
const MAX_USERS = 20;

type Found = Omit<Neighbour, keyof CodeLines | 'id'>;

/** Symbols one step from some lines of a graph: see {@link CodeNeighbours}. */
export function neighboursOf(
  graph: ProjectGraph,
  lines: readonly CodeLines[],
  limit: number,
  asked: ReadonlySet<string> = new Set(),
): Neighbour[] {
  const roots = lines.map((each) => symbolsIn(graph, each));
  const inside = new Set(roots.flat());
  const found = new Map<number, Found>();
  const add = (node: number, step: Found): void => {
    const earlier = found.get(node);
    const first = earlier && (step.usedAt === undefined || earlier.usedAt !== undefined) ? earlier : step;
    found.set(node, { ...first, weight: (earlier?.weight ?? 0) + step.weight });
  };
  const isOther = (node: number) => !inside.has(node) && !graph.isModule(node);
  const { rows } = graph;
  const isFollowed = (edge: number) =>
    ((FOLLOWED >> rows.kinds[edge]!) & 1) === 1 && rows.confidences[edge]! >= MIN_CONFIDENCE;
  const isEverywhere = (node: number) => rows.in[node + 1]! - rows.in[node]! > MAX_USERS;
  for (const [rank, nodes] of roots.entries()) {
    for (const root of nodes) {
      const own = NEXT ** rank;
      const of = graph.id(root);
      for (let edge = rows.out[root]!; edge < rows.out[root + 1]!; edge++) {
        const target = rows.targets[edge]!;
        if (!isFollowed(edge) || isEverywhere(target) || !isOther(target)) continue;
        add(target, { relation: 'used_by', of, weight: (own * rows.confidences[edge]!) / 100 });
      }
      const isAsked = asked.has(graph.symbol(root).name);
      if (isEverywhere(root) && !isAsked) continue;
      for (const edge of rows.incoming.subarray(rows.in[root], rows.in[root + 1])) {
        const user = rows.sources[edge]!;
        if (!isFollowed(edge) || user === root || !(isAsked || isOther(user))) continue;
        const weight = ((isAsked ? ASKED : USER) * own * rows.confidences[edge]!) / 100;
        add(user, { relation: 'uses', of, weight, ...(isAsked && { usedAt: rows.lines[edge]! }) });
      }
    }
  }
  let best = 1;
  for (const { weight } of found.values()) best = Math.max(best, weight);
  const isUnasked = ({ usedAt }: Found) => Number(usedAt === undefined);
  return [...found]
    .sort(([a, one], [b, other]) => isUnasked(one) - isUnasked(other) || other.weight - one.weight || a - b)
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
