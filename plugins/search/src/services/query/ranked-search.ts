import { isTestFile } from '@service-mcp/plugin-syntax/contract';
import { NOTHING_HOLDS } from '../../result-text.js';
import type { IndexSource, RankedDocument, RankedMode } from '../../contract.js';
import { analyse, analyseQuery, type QueryTerms } from '../analysis/analyse.js';
import type { Spaces } from '../embedding/spaces.js';
import { rowFilter } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { CurrentStates } from './current-states.js';
import { exactForms, isEmpty } from './exact-forms.js';
import { countFacets, type FacetRow } from './facets.js';
import { embedQuery, PROVIDER_AWAY } from './embed-query.js';
import { fuseInPools, nearness, poolOf } from './fusion.js';
import { withDocumentMeans } from './document-means.js';
import { resultsOf } from './hydrate.js';
import { KnownRows, type RowCache } from './known-rows.js';
import { promoteExact } from './promote-exact.js';
import { retrieveByKeyword, retrieveByMeaning, type Candidate } from './retrievers.js';
import type { Found, Settings } from './settings.js';
import { correctTerms, type Correction } from './similar-terms.js';

export interface RankedParts {
  readonly sources: readonly IndexSource[];
  readonly spaces: Spaces;
  readonly rows: RowCache;
  readonly timeoutMs: number;
}

/** Least candidates of a retriever where two are fused, which scales scores over more than a page or ranking. */
const FUSION_POOL = 100;
/** Least candidates of a mode with one retriever. */
const SINGLE_POOL = 30;
const MIN_POOL = { keyword: SINGLE_POOL, hybrid: FUSION_POOL, semantic: SINGLE_POOL };
const COUNT_POOL = 10_000;
/** How much larger the next pool is where one does not fill a page: two steps. */
const NEXT_POOL = 4;
/** Results of a ranking that are read, to tell which terms nothing holds. */
const RANKING_SHOWN = 10;
/** Candidates that are weighed by their documents too. A semantic score stays a cosine. */
const DOCUMENTS_POOL = { keyword: SINGLE_POOL, hybrid: FUSION_POOL, semantic: 0 };
/** Results among which those that hold what the query spells out come first. */
const EXACT_POOL = { keyword: SINGLE_POOL, hybrid: 30, semantic: 0 };

const ASK_WORDS = 'Use search_keyword or search_hybrid meanwhile.';
const NO_KNOWN_WORD =
  'The embedder of this workspace knows no word of the query; search_keyword matches it literally.';

/**
 * Semantic, keyword and hybrid search: retrieves, fuses, drops deleted documents, puts exact hits first, and reads the
 * texts of a page. Terms that nothing holds are searched again as the nearest ones that something does.
 */
export async function rankedSearch(
  mode: RankedMode,
  settings: Settings,
  tables: IndexTables,
  parts: RankedParts,
  signal: AbortSignal | undefined,
  pool = firstPool(mode, settings),
): Promise<Found> {
  const { workspace_id: workspaceId, limit, offset, output_format, min_score = 0, facets = [] } = settings;
  const { timeoutMs } = parts;
  const isPage = output_format !== 'count';
  const withFacets = facets.length > 0;
  const end = offset + limit;
  const minPool = MIN_POOL[mode];
  const keywordPool = withFacets ? COUNT_POOL : pool;
  const where = rowFilter(settings, tables.scope);
  const ofKinds = rowFilter({ kinds: settings.kinds, everyKind: settings.everyKind }, tables.scope);
  const readsRows = mode === 'keyword' && output_format === 'full' && !withFacets && !settings.ranking;
  const options = { where, timeoutMs, withFacets, withPaths: mode === 'hybrid' };
  const forms = exactForms(settings.query);
  const warnings: string[] = [];
  const states = new CurrentStates(parts.sources);
  const rows = new KnownRows({ tables, timeoutMs, states, cache: parts.rows });

  const keywords = async (query: QueryTerms) => {
    if (mode === 'semantic') return [];
    const steps = isPage ? { limit: pool, firstStep: minPool } : { limit: pool };
    const asked = { ...options, ...steps, countLimit: keywordPool, withRows: readsRows };
    return retrieveByKeyword(tables, query, asked, forms.required);
  };

  const query = analyseQuery(settings.query);
  const weightOf = testWeight(query);
  let share = (_nearness: number) => 0;
  const neighbours = async () => {
    if (mode === 'keyword') return [];
    const found = await embedQuery(parts.spaces, workspaceId, settings.query, signal);
    if (!found) {
      warnings.push(PROVIDER_AWAY);
      return [];
    }
    const { embedder, vector } = found;
    if (embedder.warning !== undefined)
      warnings.push(mode === 'semantic' ? `${embedder.warning} ${ASK_WORDS}` : embedder.warning);
    share = embedder.fusionShare;
    if (!vector) {
      // A hybrid search has matched the words literally itself.
      if (mode === 'semantic') warnings.push(NO_KNOWN_WORD);
      return [];
    }
    const asked = { ...options, limit: pool, firstStep: isPage ? minPool : pool };
    return retrieveByMeaning(tables, vector, embedder.spaceId, asked);
  };
  const nearest = neighbours();

  async function answer(query: QueryTerms) {
    const [keyword, semantic] = await Promise.all([keywords(query), nearest]);
    signal?.throwIfAborted();
    const retrieved =
      mode === 'hybrid'
        ? fuseInPools(
            keyword,
            semantic,
            { share: share(nearness(keyword, semantic.slice(0, FUSION_POOL))), weightOf },
            FUSION_POOL,
          )
        : mode === 'keyword'
          ? keyword
          : semantic;
    const living = await states.living(retrieved);
    const existing = retrieved.filter(({ doc_id }) => living.has(doc_id));
    const weighed = withDocumentMeans(existing, DOCUMENTS_POOL[mode], (id) => states.chunksOf(id));
    const scored = await exactFirst(weighed);
    const ranked = scored.filter(({ score }) => score >= min_score);
    const listed = output_format === 'paths' || settings.ranking ? firstOfEach(ranked) : ranked;
    const shownEnd = settings.ranking ? offset + RANKING_SHOWN : end;
    const page = await rows.of(isPage ? listed.slice(offset, shownEnd) : []);
    const shown = await resultsOf(page, { query, forms }, await states.of(page), settings, parts.sources);
    const isCut = keyword.length >= keywordPool || semantic.length >= pool;
    const isLowerBound = isCut && ((scored.at(-1) ?? retrieved.at(-1))?.score ?? 0) >= min_score;
    return { ...shown, listed, isLowerBound };
  }

  const headSize = (isPage || min_score > 0) && !isEmpty(forms) ? EXACT_POOL[mode] : 0;
  const isHead = ({ holdsRequired }: Candidate, at: number) => at < headSize || holdsRequired === true;

  async function exactFirst(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    if (headSize === 0) return candidates;
    const head = await rows.of(candidates.filter(isHead));
    const known = await states.of(head);
    const rest = candidates.filter((candidate, at) => !isHead(candidate, at));
    return promoteExact(head, rest, forms, { bounded: mode === 'hybrid', states: known });
  }

  if (query.terms.length === 0 && mode !== 'semantic')
    warnings.push('The query has no searchable word; search_pattern finds punctuation.');
  let found = await answer(query);
  const corrections =
    mode === 'semantic'
      ? []
      : await correctTerms(tables, settings.query, withoutTerms(query, settings.understood), found.seen, {
          where,
          ofKinds,
          timeoutMs,
        });
  const replaced = corrections.filter(({ similar }) => similar.length > 0);
  const missing = corrections.filter(({ similar }) => similar.length === 0);
  if (replaced.length > 0) found = await answer(corrected(query, replaced));
  warnings.push(
    ...replaced.filter(isAnother).map(describe),
    ...describeMissing(missing, query, mode, found.listed.length > 0),
  );
  const isShort = isPage && !settings.ranking && found.listed.length <= end && found.isLowerBound;
  if (isShort && pool * NEXT_POOL <= COUNT_POOL)
    return rankedSearch(mode, settings, tables, parts, signal, pool * NEXT_POOL);
  return {
    results: found.results,
    documents: settings.ranking ? found.listed.slice(offset, end).map(toDocument) : [],
    total: found.listed.length,
    total_is_lower_bound: found.isLowerBound,
    ...(withFacets && { facets: countFacets(facets, facetRowsOf(found.listed)) }),
    warnings,
  };
}

/** Terms of a query that asks for tests. */
const ASKS_FOR_TESTS = new Set(analyseQuery('test tests testing spec specs fixture mock').terms);
const TEST_WEIGHT = 0.85;

/** Tests repeat what the code is about, in more words: of equals the code comes first, unless the query names tests. ADR 97. */
function testWeight({ terms }: QueryTerms): (candidate: Candidate) => number {
  if (terms.some((term) => ASKS_FOR_TESTS.has(term))) return () => 1;
  return ({ path }) => (path !== undefined && isTestFile(path) ? TEST_WEIGHT : 1);
}

/** A ranking is of as many as are fused; a page leaves deleted ones and further chunks of a document out. */
function firstPool(mode: RankedMode, { limit, offset, output_format, ranking }: Settings): number {
  if (output_format === 'count') return COUNT_POOL;
  return poolOf((ranking ? 1 : 2) * (offset + limit), MIN_POOL[mode]);
}

function withoutTerms(query: QueryTerms, text = ''): QueryTerms {
  const left = new Set(analyse(text));
  return { ...query, terms: query.terms.filter((term) => !left.has(term)) };
}

function corrected(query: QueryTerms, corrections: readonly Correction[]): QueryTerms {
  const missing = new Set(corrections.map(({ term }) => term));
  const similar = corrections.flatMap((correction) => correction.similar.map(({ term }) => term));
  const terms = [...new Set([...query.terms.filter((term) => !missing.has(term)), ...similar])];
  return { ...query, terms };
}

/** Whether another word was searched, not the same one as an identifier has it: `launchdarkly`, `LaunchDarkly`. */
function isAnother({ word, similar }: Correction): boolean {
  return similar.some((each) => each.word.toLowerCase() !== word.toLowerCase());
}

function describe({ word, similar }: Correction): string {
  const words = new Set(similar.map((each) => `"${each.word}"`));
  return `${NOTHING_HOLDS}"${word}": ${[...words].join(', ')} was searched instead.`;
}

/** Words without which results were found, or none. */
function describeMissing(
  missing: readonly Correction[],
  { terms }: QueryTerms,
  mode: RankedMode,
  isFound: boolean,
): string[] {
  const named = missing.filter(({ isPart }) => !isPart).map(({ word }) => `"${word}"`);
  if (named.length === 0) return [];
  const words = [...new Set(named)].join(', ');
  const isHybrid = mode === 'hybrid';
  if (missing.length < terms.length || (isHybrid && !isFound)) return [`${NOTHING_HOLDS}${words}.`];
  return [
    isHybrid
      ? `${NOTHING_HOLDS}${words}: the results are near in meaning at most.`
      : `${NOTHING_HOLDS}${words}: search_hybrid finds what is near in meaning.`,
  ];
}

function toDocument({ doc_id: id, kind, score, scores }: Candidate): RankedDocument {
  return { id, kind, score, scores };
}

function facetRowsOf(candidates: readonly Candidate[]): FacetRow[] {
  return candidates.flatMap(({ facetRow }) => (facetRow ? [{ ...facetRow, count: 1 }] : []));
}

function firstOfEach<C extends Candidate>(ranked: readonly C[]): C[] {
  const seen = new Set<string>();
  return ranked.filter(({ doc_id }) => !seen.has(doc_id) && seen.add(doc_id));
}
