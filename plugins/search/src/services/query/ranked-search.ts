import type { IndexSource } from '../../contract.js';
import type { SearchMode } from '../../schemas.js';
import { analyseQuery } from '../analysis/analyse.js';
import type { Spaces } from '../embedding/spaces.js';
import { rowFilter } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { currentStates } from './current-states.js';
import { countFacets, type FacetRow } from './facets.js';
import { fuse } from './fusion.js';
import { hydrate } from './hydrate.js';
import { retrieveByKeyword, retrieveByMeaning, type Candidate } from './retrievers.js';
import type { Found, Settings } from './settings.js';

export type RankedMode = Exclude<SearchMode, 'pattern'>;

export interface RankedParts {
  readonly sources: readonly IndexSource[];
  readonly spaces: Spaces;
  readonly timeoutMs: number;
}

/** Least candidates of a retriever where legs are fused, which scales scores over more than a page. */
const FUSION_POOL = 200;
/** Least candidates of the keyword mode, whose rows are read in the same query. */
const KEYWORD_POOL = 50;
const COUNT_POOL = 10_000;

/** Semantic, keyword and hybrid search: retrieves, fuses, drops deleted documents, and reads the texts of a page. */
export async function rankedSearch(
  mode: RankedMode,
  settings: Settings,
  tables: IndexTables,
  parts: RankedParts,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const { workspace_id: workspaceId, limit, offset, output_format, min_score = 0, facets = [] } = settings;
  const isPage = output_format !== 'count';
  const withFacets = facets.length > 0;
  const withRows = mode === 'keyword' && isPage && !withFacets;
  const least = withRows ? KEYWORD_POOL : FUSION_POOL;
  const pool = isPage ? Math.max(least, 2 * (offset + limit)) : COUNT_POOL;
  const keywordPool = withFacets ? COUNT_POOL : pool;
  const where = rowFilter(settings, tables.scope);
  const options = { where, limit: pool, timeoutMs: parts.timeoutMs, withRows, withFacets };
  const query = analyseQuery(settings.query);
  const warnings: string[] = [];

  const keywords = async () => {
    if (mode === 'semantic') return [];
    if (query.terms.length === 0)
      warnings.push('The query has no searchable word; search_pattern finds punctuation.');
    return retrieveByKeyword(tables, query, { ...options, limit: keywordPool });
  };
  let share = 0;
  const neighbours = async () => {
    if (mode === 'keyword') return [];
    const embedder = await parts.spaces.active(workspaceId);
    if (embedder.warning !== undefined) warnings.push(embedder.warning);
    share = embedder.fusionShare;
    const vector = await embedder.embedQuery(settings.query, signal);
    if (!vector) {
      warnings.push(
        'The embedder of this workspace knows no word of the query; search_keyword matches it literally.',
      );
      return [];
    }
    return retrieveByMeaning(tables, vector, embedder.spaceId, options);
  };
  const [keyword, semantic] = await Promise.all([keywords(), neighbours()]);
  signal?.throwIfAborted();

  const candidates = rank(mode, keyword, semantic, share).filter(({ score }) => score >= min_score);
  const states = await currentStates(parts.sources, candidates);
  let existing = candidates.filter(({ doc_id }) => states.has(doc_id));
  if (output_format === 'paths') existing = firstOfEach(existing);
  const page = isPage ? existing.slice(offset, offset + limit) : [];
  return {
    results: await hydrate(page, query, states, settings, tables, parts.timeoutMs),
    total: existing.length,
    total_is_lower_bound: keyword.length >= keywordPool || semantic.length >= pool,
    ...(withFacets && { facets: countFacets(facets, facetRowsOf(existing)) }),
    warnings,
  };
}

function facetRowsOf(candidates: readonly Candidate[]): FacetRow[] {
  return candidates.flatMap(({ facetRow }) => (facetRow ? [{ ...facetRow, count: 1 }] : []));
}

function rank(
  mode: RankedMode,
  keyword: readonly Candidate[],
  semantic: readonly Candidate[],
  share: number,
): readonly Candidate[] {
  if (mode !== 'hybrid') return mode === 'keyword' ? keyword : semantic;
  const byId = new Map([...keyword, ...semantic].map((candidate) => [candidate.id, candidate]));
  const scores = (found: readonly Candidate[]) => new Map(found.map(({ id, score }) => [id, score]));
  return fuse(scores(keyword), scores(semantic), share).flatMap(({ id, ...all }) => {
    const candidate = byId.get(id);
    return candidate ? [{ ...candidate, score: all.fused, scores: all }] : [];
  });
}

function firstOfEach(ranked: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return ranked.filter(({ doc_id }) => !seen.has(doc_id) && seen.add(doc_id));
}
