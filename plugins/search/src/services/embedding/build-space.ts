import type { Embedder } from '../../contract.js';
import { literal } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { embedDocuments } from './embed-documents.js';

/** Documents embedded in one step. */
const BATCH = 200;

/**
 * Embeds the documents behind `cursor` (in order of id) into the space of `embedder`. Gives the new cursor, or undefined where
 * nothing is left. Documents that were indexed meanwhile are embedded again, with the same outcome.
 */
export async function buildBatch(
  tables: IndexTables,
  embedder: Embedder,
  cursor: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const documents: { id: string }[] = await tables.documents
    .query()
    .where(`id > ${literal(cursor)}`)
    .select(['id'])
    .orderBy({ columnName: 'id', ascending: true })
    .limit(BATCH)
    .toArray();
  const ids = documents.map(({ id }) => id);
  const last = ids.at(-1);
  if (last === undefined) return undefined;
  await embedDocuments(tables, embedder, ids, signal);
  return last;
}
