import { createHash } from 'node:crypto';
import type { Lease } from '@service-mcp/core';
import type { Embedder, MadeVectors, Passage } from '../../contract.js';
import { readable } from '../analysis/readable.js';
import { among } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { PASSAGE_COLUMNS, vectorRows, type PassageRow } from '../index/rows.js';
import type { ChunkRow, DocumentRow, VectorRow } from '../index/tables.js';
import { ProviderFailure } from '../models/provider-failure.js';

/** Ids in one filter. */
const MAX_IDS = 500;

/**
 * Embeds the chunks of documents that have no vector in the space of `embedder`, and writes the vectors of all; throws where
 * `lease` was lost meanwhile. Of a provider that fails, what it has made before is written.
 */
export async function embedDocuments(
  tables: IndexTables,
  embedder: Embedder,
  documentIds: readonly string[],
  signal: AbortSignal,
  lease?: Lease,
): Promise<void> {
  const chunks: PassageRow[] = await tables.chunks
    .query()
    .where(among('doc_id', documentIds))
    .select([...PASSAGE_COLUMNS])
    .toArray();
  const known = await vectorsOf(
    tables,
    embedder,
    chunks.map(({ id }) => id),
  );
  const missing = chunks.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return;
  const passages = missing.map(({ title, text, lang }) => ({ title, text: readable(text, lang) }));
  const vectors = new Map<string, Float32Array | null>(known);
  const keep: MadeVectors = (from, made) => {
    for (const [at, { id }] of missing.slice(from, from + made.length).entries())
      vectors.set(id, made[at] ?? null);
  };
  let failure: ProviderFailure | undefined;
  try {
    const made = await embedder.embedPassages(passages, signal, keep);
    if (made.length !== missing.length)
      throw new Error('the embedder gave another number of vectors than passages');
    keep(0, made);
  } catch (error) {
    if (!(error instanceof ProviderFailure) || vectors.size === known.size) throw error;
    failure = error;
  }
  const rows = vectorRows(
    chunks,
    chunks.map(({ id }) => vectors.get(id) ?? null),
    embedder,
  );
  if (lease && !(await lease.holds())) throw new Error('the lease on an index was lost while it was written');
  await tables.putVectors(embedder.spaceId, documentIds, rows);
  if (failure) throw failure;
}

/**
 * The vectors of passages that are about to be written whose texts the index has already, in their documents or in one other
 * with each of these hashes (a file that was renamed): what is unchanged is not embedded again.
 */
export async function findVectors(
  tables: IndexTables,
  embedders: readonly Embedder[],
  passages: readonly PassageRow[],
  hashes: readonly string[],
): Promise<VectorRow[]> {
  const same: Pick<DocumentRow, 'id' | 'sha256' | 'lang'>[] = await tables.documents
    .query()
    .where(among('sha256', hashes))
    .select(['id', 'sha256', 'lang'])
    .toArray();
  const own = new Set(passages.map(({ doc_id }) => doc_id));
  const others = same.filter(({ id }) => !own.has(id));
  // By language too: it decides how a text is cut.
  const one = new Map(others.map(({ id, sha256, lang }) => [`${sha256} ${lang}`, id]));
  const documentIds = new Set([...own, ...one.values()]);
  const before: Pick<ChunkRow, 'id' | 'title' | 'text'>[] = await tables.chunks
    .query()
    .where(among('doc_id', documentIds))
    .select(['id', 'title', 'text'])
    .toArray();
  if (before.length === 0) return [];
  const wanted = new Set(passages.map(keyOf));
  const former = new Map<string, string>();
  for (const chunk of before) {
    const key = keyOf(chunk);
    if (wanted.has(key)) former.set(key, chunk.id);
  }
  const rows: VectorRow[] = [];
  for (const embedder of embedders) {
    const vectors = await vectorsOf(tables, embedder, [...former.values()]);
    const found = passages.map((passage) => vectors.get(former.get(keyOf(passage)) ?? '') ?? null);
    rows.push(...vectorRows(passages, found, embedder));
  }
  return rows;
}

/** The vectors of chunks in the space of an embedder, by the id of the chunk. */
async function vectorsOf(
  tables: IndexTables,
  { spaceId, dimensions }: Embedder,
  chunkIds: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  const table = await tables.vectors(dimensions);
  if (!table) return found;
  for (let at = 0; at < chunkIds.length; at += MAX_IDS) {
    const ids = chunkIds.slice(at, at + MAX_IDS).map((id) => `${spaceId}:${id}`);
    const rows: { chunk_id: string; vector: Iterable<number> }[] = await table
      .query()
      .where(among('id', ids))
      .select(['chunk_id', 'vector'])
      .toArray();
    for (const { chunk_id, vector } of rows) found.set(chunk_id, Float32Array.from(vector));
  }
  return found;
}

/** The embedded parts of a chunk. */
function keyOf({ title, text }: Passage): string {
  return createHash('sha256').update(`${title}\0${text}`).digest('base64');
}
