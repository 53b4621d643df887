import type { IndexSource } from '../../contract.js';
import type { IndexTables } from './index-tables.js';
import { readRows } from './read-rows.js';

const ROWS_AT_ONCE = 2_000;
/** More that wait than this are looked at as if they did not: to index them again changes nothing. */
const MAX_WAITING = 100_000;

interface Held {
  readonly id: string;
  readonly kind: string;
  readonly sha256: string;
}

/**
 * The documents of an index that the database does not know, or knows with another content that does not wait to be
 * indexed: after an older copy of the database was restored beside it. The index is read first, as it follows the database:
 * what is in it and not in the database was deleted. Documents of kinds without a source stay: their plugin is not enabled.
 */
export async function findStrays(
  tables: IndexTables,
  workspaceId: string,
  sources: readonly IndexSource[],
): Promise<readonly string[]> {
  const strays: string[] = [];
  let changed: string[] = [];
  const kinds = new Set<string>(sources.flatMap((source) => source.kinds));
  const rows = await readRows<Held>(tables.documents.query().select(['id', 'kind', 'sha256']));
  const held = rows.filter(({ kind }) => kinds.has(kind));
  for (let at = 0; at < held.length; at += ROWS_AT_ONCE) {
    const some = held.slice(at, at + ROWS_AT_ONCE);
    const known = new Map<string, string>();
    for (const source of sources) {
      const states = await source.states(some.map(({ id }) => id));
      for (const [id, { sha256 }] of states) known.set(id, sha256);
    }
    for (const { id, sha256 } of some) {
      const current = known.get(id);
      if (current === undefined) strays.push(id);
      else if (current !== sha256) changed.push(id);
    }
  }
  if (changed.length > 0) {
    const waiting = new Set<string>();
    for (const source of sources)
      for (const id of await source.newest(workspaceId, MAX_WAITING)) waiting.add(id);
    changed = changed.filter((id) => !waiting.has(id));
  }
  return [...strays, ...changed];
}
