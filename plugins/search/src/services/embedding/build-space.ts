import type { Embedder } from '../../contract.js';
import { among, literal } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { PASSAGE_COLUMNS, vectorRows, type PassageRow } from '../index/rows.js';
import type { Space } from './space-store.js';

/** Documents embedded in one step. */
const BATCH = 200;

/**
 * Embeds the documents behind `cursor` (in order of id) into a space. Gives the new cursor, or undefined where
 * nothing is left. Documents that were indexed meanwhile are embedded again, with the same outcome.
 */
export async function buildBatch(
  tables: IndexTables,
  space: Space,
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
  const chunks: PassageRow[] = await tables.chunks
    .query()
    .where(among('doc_id', ids))
    .select([...PASSAGE_COLUMNS])
    .toArray();
  const vectors = await embedder.embedPassages(chunks, signal);
  await tables.putVectors(space.space_id, ids, vectorRows(chunks, vectors, embedder));
  return last;
}
