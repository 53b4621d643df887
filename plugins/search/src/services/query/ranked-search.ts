import type { IndexSource, SearchMode, SearchResult } from '../../contract.js';
import { analyseQuery } from '../analysis/analyse.js';
import type { Spaces } from '../embedding/spaces.js';
import { rowFilter } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { fuse } from './fusion.js';
import { hydrate } from './hydrate.js';
import { keywordLeg, semanticLeg, type Scored } from './legs.js';
import { livingStates } from './living.js';
import type { Candidate, Found, Settings } from './settings.js';

export type RankedMode = Exclude<SearchMode, 'pattern'>;

/** A candidate with its place in the ranking. */
export interface Ranked extends Candidate {
  readonly score: number;
  readonly scores: SearchResult['scores'];
}

export interface RankedParts {
  readonly sources: readonly IndexSource[];
  readonly spaces: Spaces;
  readonly timeoutMs: number;
}

/** Least candidates of a leg: fusion needs more than a page to scale scores by. */
const POOL = 200;
const COUNT_POOL = 10_000;

/** Semantic, keyword and hybrid search: candidates, fusion, the living among them, a page with its texts. */
export async function rankedSearch(
  mode: RankedMode,
  settings: Settings,
  tables: IndexTables,
  parts: RankedParts,
  signal: AbortSignal | undefined,
): Promise<Found<SearchResult>> {
  const { request, limit, offset, outputFormat } = settings;
  const pool = outputFormat === 'count' ? COUNT_POOL : Math.max(POOL, 2 * (offset + limit));
  const options = { where: rowFilter(request, settings.kinds), limit: pool, timeoutMs: parts.timeoutMs };
  const query = analyseQuery(request.query);
  const warnings: string[] = [];

  const keywords = async () => {
    if (mode === 'semantic') return [];
    if (query.terms.length === 0)
      warnings.push('The query holds no word to look up; search_pattern finds punctuation.');
    return keywordLeg(tables, query, options);
  };
  let share = 0;
  const neighbours = async () => {
    if (mode === 'keyword') return [];
    const embedder = await parts.spaces.active(request.workspaceId);
    if (embedder.warning !== undefined) warnings.push(embedder.warning);
    share = embedder.fusionShare;
    const vector = await embedder.embedQuery(request.query, signal);
    if (!vector) {
      warnings.push(
        'The embedder of this workspace knows no word of the query; search_keyword matches it literally.',
      );
      return [];
    }
    return semanticLeg(
      tables,
      vector,
      { workspaceId: request.workspaceId, spaceId: embedder.spaceId },
      options,
    );
  };
  const [keyword, semantic] = await Promise.all([keywords(), neighbours()]);
  signal?.throwIfAborted();

  const candidates = rank(mode, keyword, semantic, share).filter(({ score }) => score >= settings.minScore);
  const states = await livingStates(parts.sources, candidates);
  let living = candidates.filter(({ documentId }) => states.has(documentId));
  if (outputFormat === 'paths') living = firstOfEach(living);
  const page = outputFormat === 'count' ? [] : living.slice(offset, offset + limit);
  return {
    results: await hydrate(page, query, states, settings, tables, parts.timeoutMs),
    total: living.length,
    totalIsLowerBound: keyword.length >= pool || semantic.length >= pool,
    warnings,
  };
}

function rank(
  mode: RankedMode,
  keyword: readonly Scored[],
  semantic: readonly Scored[],
  share: number,
): Ranked[] {
  if (mode !== 'hybrid') {
    const leg = mode === 'keyword' ? keyword : semantic;
    return leg.map((candidate) => ({ ...candidate, scores: { [mode]: candidate.score } }));
  }
  const byId = new Map<string, Candidate>(
    [...keyword, ...semantic].map((candidate) => [candidate.id, candidate]),
  );
  const scores = (leg: readonly Scored[]) => new Map(leg.map(({ id, score }) => [id, score]));
  return fuse(scores(keyword), scores(semantic), share).flatMap(({ id, ...all }) => {
    const candidate = byId.get(id);
    return candidate ? [{ ...candidate, score: all.fused, scores: all }] : [];
  });
}

function firstOfEach(ranked: readonly Ranked[]): Ranked[] {
  const seen = new Set<string>();
  return ranked.filter(({ documentId }) => !seen.has(documentId) && seen.add(documentId));
}
