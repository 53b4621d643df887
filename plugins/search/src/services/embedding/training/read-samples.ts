import { withoutEncoded } from '../../analysis/encoded.js';
import { readable } from '../../analysis/readable.js';
import { literal } from '../../index/filter.js';
import type { IndexTables } from '../../index/index-tables.js';
import { unpackPlace } from '../../index/place.js';
import type { ChunkRow } from '../../index/tables.js';
import type { Sample } from './pairs.js';

/**
 * A share of the chunks, in order of document and place. Their ids are hashes: those below a bound are an even sample.
 * Ids of records sort by time, so that neighbours are records written one after the other.
 */
export async function readSamples(tables: IndexTables, share: number): Promise<Sample[]> {
  const bound = Math.floor(share * 0xffffffff)
    .toString(16)
    .padStart(8, '0');
  const rows: ChunkRow[] = await tables.chunks
    .query()
    .where(share >= 1 ? 'true' : `id < ${literal(bound)}`)
    .select(['id', 'doc_id', 'project_id', 'kind', 'lang', 'place', 'title', 'text'])
    .toArray();
  return rows
    .map(({ place, ...row }) => ({ ...row, ...unpackPlace(place) }))
    .sort((a, b) => compare(a.doc_id, b.doc_id) || a.start - b.start || compare(a.id, b.id))
    .map(({ kind, lang, project_id: projectId, symbol, title, text }) => ({
      kind,
      projectId,
      symbol,
      title,
      text: withoutEncoded(readable(text, lang)),
    }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
