import type { Lease, Log } from '@service-mcp/core';
import type { Embedder } from '../../contract.js';
import { literal } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { ProviderFailure } from '../models/provider-failure.js';
import { embedDocuments } from './embed-documents.js';

/** Documents embedded in one step. */
const BATCH = 200;

export interface BuildParts {
  readonly tables: IndexTables;
  readonly embedder: Embedder;
  /** On the index; nothing is written once it is lost. */
  readonly lease: Lease;
  readonly log: Log;
}

/**
 * Embeds the documents behind `cursor` (in order of id) into the space of the embedder. Gives the new cursor, or undefined
 * where nothing is left. Documents that were indexed meanwhile are embedded again, with the same outcome. Those that a
 * provider refuses stay without vectors.
 */
export async function buildBatch(
  parts: BuildParts,
  cursor: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const documents: { id: string }[] = await parts.tables.documents
    .query()
    .where(`id > ${literal(cursor)}`)
    .select(['id'])
    .orderBy({ columnName: 'id', ascending: true })
    .limit(BATCH)
    .toArray();
  const ids = documents.map(({ id }) => id);
  const last = ids.at(-1);
  if (last === undefined) return undefined;
  if (await isRefused(parts, ids, signal)) {
    // A provider that refuses any text at all is at fault itself: its failure leaves the batch.
    await parts.embedder.embedPassages([{ title: '', text: 'text' }], signal);
    await embedEach(parts, ids, signal);
  }
  return last;
}

/** Embeds documents of which the provider refuses some: halves them until those are alone. */
async function embedEach(parts: BuildParts, ids: readonly string[], signal: AbortSignal): Promise<void> {
  if (ids.length === 1) {
    parts.log.warn({ documents: ids }, 'the embedding provider refuses a document; it has no vectors');
    return;
  }
  const middle = ids.length >> 1;
  for (const half of [ids.slice(0, middle), ids.slice(middle)])
    if (await isRefused(parts, half, signal)) await embedEach(parts, half, signal);
}

/** Embeds documents; true where the provider refuses them. */
async function isRefused(
  { tables, embedder, lease }: BuildParts,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await embedDocuments(tables, embedder, ids, signal, lease);
    return false;
  } catch (error) {
    if (error instanceof ProviderFailure && error.refused) return true;
    throw error;
  }
}
