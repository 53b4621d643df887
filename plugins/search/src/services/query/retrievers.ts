import type { DocumentKind } from '../../contract.js';
import type { SearchResult } from '../../schemas.js';
import type { QueryTerms } from '../analysis/analyse.js';
import { among, conjunction, filtered, literal } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { nearestVectors } from '../index/vector-index.js';
import { readRows } from '../index/read-rows.js';
import { PAGE_COLUMNS, type PageRow } from '../index/tables.js';
import { FACET_COLUMNS, type FacetRow } from './facets.js';
import { lancedb, type Operator } from '../index/lance.js';
import { roundScore } from './round-score.js';

/** A chunk that matches a query. */
export interface Candidate {
  readonly id: string;
  readonly doc_id: string;
  readonly kind: DocumentKind;
  readonly score: number;
  readonly scores: SearchResult['scores'];
  /** The columns that its result shows, where the retriever was asked to read them. */
  readonly row?: PageRow;
  /** It has every required term, though perhaps not as they are spelled out. */
  readonly holdsRequired?: boolean;
  /** What facets count by, where the retriever was asked to read it. */
  readonly facetRow?: FacetColumns;
  /** Of its document, where the retriever was asked to read it. */
  readonly path?: string;
}

export interface RetrievalOptions {
  /** The filter of the request; empty for all rows. */
  readonly where: string;
  readonly limit: number;
  /** The size of the first of the steps that a longer list begins with, default one of the whole limit. */
  readonly firstStep?: number;
  /** Size of one more step after those to the limit: for counting, without another order of those before. */
  readonly countLimit?: number;
  readonly timeoutMs: number;
  /** Reads what a page shows in the same query: for few rows this costs less than a second query. */
  readonly withRows?: boolean;
  readonly withFacets?: boolean;
  readonly withPaths?: boolean;
}

type FacetColumns = Omit<FacetRow, 'count'>;

/** Chunks read that hold every required term. */
const REQUIRED_POOL = 50;

/**
 * The best chunks by BM25, best first, and among them the best that hold every one of the `required` terms, if any, with
 * their rows.
 */
export async function retrieveByKeyword(
  tables: IndexTables,
  query: QueryTerms,
  options: RetrievalOptions,
  required?: QueryTerms,
): Promise<Candidate[]> {
  if (!required) return match(tables, query, options, lancedb().Operator.Or);
  const { countLimit: _count, ...single } = options;
  const allOf = { ...single, limit: REQUIRED_POOL, firstStep: REQUIRED_POOL, withRows: true };
  const [any, all] = await Promise.all([
    match(tables, query, options, lancedb().Operator.Or),
    match(tables, required, allOf, lancedb().Operator.And),
  ]);
  const found = new Map(any.map((candidate) => [candidate.id, candidate]));
  const others = all.flatMap(({ id }) => (found.has(id) ? [] : [id]));
  // Scored as the whole query scores them, so that their places do not depend on how many were retrieved.
  if (others.length > 0) {
    const where = conjunction(options.where, among('id', others));
    const ofOthers = { ...single, where, limit: others.length, firstStep: others.length };
    const scored = await match(tables, query, ofOthers, lancedb().Operator.Or);
    for (const candidate of scored) found.set(candidate.id, candidate);
  }
  const holders = all.map((holder) => {
    const { score, scores } = found.get(holder.id) ?? holder;
    return { ...holder, score: scores.keyword ?? score, scores, holdsRequired: true };
  });
  const held = new Set(holders.map(({ id }) => id));
  return [...holders, ...any.filter(({ id }) => !held.has(id))].sort((a, b) => b.score - a.score);
}

async function match(
  tables: IndexTables,
  query: QueryTerms,
  options: RetrievalOptions,
  operator: Operator,
): Promise<Candidate[]> {
  if (query.terms.length === 0) return [];
  const column = query.onlyStopWords ? 'stops' : 'terms';
  const matching = new (lancedb().MatchQuery)(query.terms.join(' '), column, { operator });
  const columns = new Set([...columnsOf('id', options), ...(options.withRows ? PAGE_COLUMNS : [])]);
  const within = { timeoutMs: options.timeoutMs };
  return bestInSteps(options, async (count) => {
    const ask = () =>
      filtered(tables.chunks.query().fullTextSearch(matching), options.where)
        .select([...columns, 'kind', '_score'])
        .limit(count);
    let rows = await readRows<FacetColumns & PageRow & { _score: number }>(ask(), within);
    // While rows are outside the text index, a term in nearly every row can have a negative weight (see Maintenance);
    // over the indexed rows its weight is right.
    if (rows.length === 0) rows = await readRows(ask().fastSearch(), within);
    return rows.map((row) => {
      const { id, doc_id, kind } = row;
      const score = roundScore(row._score);
      const read = { ...(options.withRows && { row }), ...readOf(row, options) };
      return { id, doc_id, kind, score, scores: { keyword: score }, ...read };
    });
  });
}

/** The nearest chunks by cosine, of those with a positive one, nearest first. */
export async function retrieveByMeaning(
  tables: IndexTables,
  vector: Float32Array,
  spaceId: string,
  options: RetrievalOptions,
): Promise<Candidate[]> {
  const table = await tables.vectors(vector.length);
  if (!table) return [];
  const own = `space_id = ${literal(spaceId)}`;
  const nearest = await nearestVectors(table, vector);
  const ranked = filtered(nearest, conjunction(options.where, own)).select([
    ...columnsOf('chunk_id', options),
    'kind',
    '_distance',
  ]);
  const found = await bestInSteps(options, async (count) => {
    const rows = await readRows<FacetColumns & { chunk_id: string; doc_id: string; _distance: number }>(
      ranked.limit(count),
      { timeoutMs: options.timeoutMs },
    );
    return rows.map((row) => {
      const { chunk_id: id, doc_id, kind, _distance } = row;
      const score = roundScore(Math.min(1, 1 - _distance));
      return { id, doc_id, kind, score, scores: { semantic: score }, ...readOf(row, options) };
    });
  });
  return found.filter(({ score }) => score > 0);
}

/**
 * The best candidates of the first step, then those that twice as many add, with no higher score, and so on to the limit.
 * At a larger limit, LanceDB finds others by an approximate index, and by words too: in steps of fixed sizes a page begins
 * where the one before ended.
 */
async function bestInSteps(
  { limit, firstStep = limit, countLimit = limit }: RetrievalOptions,
  read: (count: number) => Promise<readonly Candidate[]>,
): Promise<Candidate[]> {
  const ranked = new Map<string, Candidate>();
  let least = Infinity;
  for (let size = firstStep; ; size = size < limit ? size * 2 : countLimit) {
    const found = await best(size, read);
    for (const one of found)
      if (!ranked.has(one.id)) ranked.set(one.id, { ...one, score: Math.min(least, one.score) });
    if (found.length < size || size >= Math.max(limit, countLimit)) return [...ranked.values()];
    least = [...ranked.values()].at(-1)?.score ?? least;
  }
}

/** Most rows read for the order of equal scores. */
const MAX_EQUAL = 10_000;

/** The best `limit` candidates. LanceDB returns any of those that score as the last one: all of them are read. */
async function best(
  limit: number,
  read: (count: number) => Promise<readonly Candidate[]>,
): Promise<Candidate[]> {
  for (let count = limit + 1; ; count *= 4) {
    const found = await read(count);
    const ranked = distinct(found);
    const isComplete = found.length < count || (ranked.at(-1)?.score ?? 0) < (ranked[limit - 1]?.score ?? 0);
    if (isComplete || count >= MAX_EQUAL) return ranked.slice(0, limit);
  }
}

function columnsOf(id: 'id' | 'chunk_id', { withFacets, withPaths }: RetrievalOptions): string[] {
  const facets = withFacets ? FACET_COLUMNS.filter((column) => column !== 'kind') : [];
  return [...new Set([id, 'doc_id', ...facets, ...(withPaths ? ['path'] : [])])];
}

function readOf(
  row: FacetColumns,
  { withFacets, withPaths }: RetrievalOptions,
): Pick<Candidate, 'facetRow' | 'path'> {
  return { ...(withFacets && { facetRow: row }), ...(withPaths && { path: row.path }) };
}

/** Each id once, best first; equal scores in order of id. */
function distinct(rows: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const row of rows) {
    const known = best.get(row.id);
    if (!known || known.score < row.score) best.set(row.id, row);
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
