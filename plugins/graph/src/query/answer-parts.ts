import type { Affected, GraphState, Related } from '../schemas.js';
import { areasOf } from './areas.js';
import type { ProjectGraph } from './project-graph.js';
import type { GraphIndex } from './project-graphs.js';
import type { Found, Totals } from './ranked.js';
import { edgeView, symbolView } from './symbol-view.js';

/** Edges shown for one symbol. */
const MAX_VIA = 3;
const MAX_AREAS = 30;
const MAX_NAMED_FILES = 5;

export function relatedItem(graph: ProjectGraph, { node, depth, confidence, steps }: Found): Related {
  return {
    symbol: symbolView(graph, node),
    depth,
    area: areaOf(graph, node),
    confidence: Math.round(confidence * 100) / 100,
    via: steps.slice(0, MAX_VIA).map((step) => edgeView(graph, step)),
  };
}

export function withSnippets(
  { via, ...item }: Related,
  snippetOf: (place: { path: string; line: number }) => string,
): Affected {
  return { ...item, via: via.map((edge) => ({ ...edge, snippet: snippetOf(edge) })) };
}

function areaOf(graph: ProjectGraph, node: number): string {
  const { names, ofPart } = areasOf(graph);
  return names[ofPart[graph.partOf[node]!]!]!;
}

/** Totals over several lists. */
export function countsOf(lists: readonly Totals[]): {
  by_depth: Record<string, number>;
  by_area: Record<string, number>;
} {
  const depths = added(lists.map(({ byDepth }) => byDepth));
  const areas = [...added(lists.map(({ byArea }) => byArea))].sort(([, a], [, b]) => b - a);
  const rest = areas.slice(MAX_AREAS).reduce((sum, [, count]) => sum + count, 0);
  const shown = [...areas.slice(0, MAX_AREAS), ...(rest > 0 ? [['(other)', rest] as const] : [])];
  return { by_depth: Object.fromEntries(depths), by_area: Object.fromEntries(shown) };
}

function added<Key>(maps: ReadonlyArray<ReadonlyMap<Key, number>>): Map<Key, number> {
  const sums = new Map<Key, number>();
  for (const map of maps) for (const [key, count] of map) sums.set(key, (sums.get(key) ?? 0) + count);
  return sums;
}

/** So many waiting files are counted at most: see `FileChanges.pendingIn`. */
const COUNTED_FILES = 10_000;

function waitingWords(unread: number): string {
  if (unread >= COUNTED_FILES) return '10,000 or more changed files are';
  return unread === 1 ? '1 changed file is' : `${unread} changed files are`;
}

/** The state of the index, and warnings about missing parts of the graph. */
export function stateOf(graph: ProjectGraph, index: GraphIndex): GraphState {
  const partial = graph.parts.filter(({ complete }) => !complete);
  const named = partial
    .slice(0, MAX_NAMED_FILES)
    .map(({ path, note }) => (note === undefined ? path : `${path} (${note})`));
  const more = partial.length > named.length ? ` and ${partial.length - named.length} more` : '';
  const why = partial.some(({ note }) => note === undefined)
    ? ' Where no reason is named, the syntax has errors or nests too deep.'
    : '';
  const warnings = [
    ...(index.state === 'not_indexed' ? ['This project has never had files: files_ingest adds them.'] : []),
    ...(index.state === 'empty' ? ['All files of this project were deleted.'] : []),
    ...(index.unread > 0 ? [`${waitingWords(index.unread)} not in the graph yet.`] : []),
    ...(index.state === 'degraded'
      ? ['The index of this project is being repaired: the graph may be out of date.']
      : []),
    ...(partial.length > 0
      ? [`Some files are only partly in the graph: ${named.join(', ')}${more}.${why}`]
      : []),
  ];
  return { index: { state: index.state, generation: index.generation, pending: index.pending }, warnings };
}
