import type { DocumentKind } from '../../contract.js';
import type { QueryTerms } from '../analysis/analyse.js';
import { literal } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { lancedb } from '../index/lance.js';
import { VECTOR_INDEX_PARTITIONS } from '../index/maintenance.js';
import type { Candidate } from './settings.js';

export interface Scored extends Candidate {
  readonly score: number;
}

export interface RetrievalOptions {
  /** The filter of the request. */
  readonly where: string;
  readonly limit: number;
  readonly timeoutMs: number;
}

interface Row {
  readonly doc_id: string;
  readonly kind: DocumentKind;
}

/** The best chunks by BM25, best first. */
export async function retrieveByKeyword(
  tables: IndexTables,
  query: QueryTerms,
  options: RetrievalOptions,
): Promise<Scored[]> {
  if (query.terms.length === 0) return [];
  const match = new lancedb.MatchQuery(query.terms.join(' '), query.onlyStopWords ? 'stops' : 'terms');
  const ask = () =>
    tables.chunks
      .query()
      .fullTextSearch(match)
      .where(options.where)
      .select(['id', 'doc_id', 'kind', '_score'])
      .limit(options.limit);
  const within = { timeoutMs: options.timeoutMs };
  let rows: (Row & { id: string; _score: number })[] = await ask().toArray(within);
  // While rows are outside the text index, a term in nearly every row can have a negative weight (see Maintenance);
  // over the indexed rows its weight is right.
  if (rows.length === 0) rows = await ask().fastSearch().toArray(within);
  return distinct(
    rows.map((row) => ({ id: row.id, documentId: row.doc_id, kind: row.kind, score: row._score })),
  );
}

/** Up to this many vectors of a workspace are compared one by one, which is exact. */
const SCAN_ROWS = 50_000;
/** Rows read in full per requested row, to sort approximate neighbours exactly. */
const REFINE = 5;

/** The nearest chunks by cosine, of those with a positive one, nearest first. */
export async function retrieveByMeaning(
  tables: IndexTables,
  vector: Float32Array,
  space: { readonly workspaceId: string; readonly spaceId: string },
  options: RetrievalOptions,
): Promise<Scored[]> {
  const table = await tables.vectors(vector.length);
  if (!table) return [];
  const own = `workspace_id = ${literal(space.workspaceId)} AND space_id = ${literal(space.spaceId)}`;
  const nearest = table.query().nearestTo(vector).distanceType('cosine');
  const small =
    (await tables.vectorIndexRows(vector.length)) === 0 || (await table.countRows(own)) <= SCAN_ROWS;
  const ranked = small
    ? nearest.bypassVectorIndex()
    : nearest.nprobes(VECTOR_INDEX_PARTITIONS).refineFactor(REFINE);
  const rows: (Row & { chunk_id: string; _distance: number })[] = await ranked
    .where(`${options.where} AND space_id = ${literal(space.spaceId)}`)
    .select(['chunk_id', 'doc_id', 'kind', '_distance'])
    .limit(options.limit)
    .toArray({ timeoutMs: options.timeoutMs });
  const scored = rows.map((row) => ({
    id: row.chunk_id,
    documentId: row.doc_id,
    kind: row.kind,
    score: Math.min(1, 1 - row._distance),
  }));
  return distinct(scored.filter(({ score }) => score > 0));
}

/** Each id once, best first; equal scores in order of id. */
function distinct(rows: readonly Scored[]): Scored[] {
  const best = new Map<string, Scored>();
  for (const row of rows) {
    const known = best.get(row.id);
    if (!known || known.score < row.score) best.set(row.id, row);
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
