import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Database, Log } from '@service-mcp/core';
import type { Generations } from './generations.js';
import { IndexTables } from './index-tables.js';

export const FOREIGN_INDEX =
  'the indexes of this database live elsewhere: LANCEDB_URI or the data folder of this process leads to another place';
export const FOREIGN_REMEDY =
  'Set LANCEDB_URI to the address that the other processes use, or give their folder with --data where none of them sets it. If the indexes were lost or moved here on purpose, run service-mcp doctor --repair with LANCEDB_MOVED=true.';

export const UNUSABLE_PLACE =
  'no index can be made in its place: what is saved is stored, and waits to be indexed';
export const UNUSABLE_REMEDY =
  'Correct LANCEDB_URI, the settings and rights of its store (for s3://: region and credentials in the environment), or those of the folder; the log has the reason.';

/** How long a place that is not ours is not looked at again. */
const FOREIGN_TTL_MS = 2_000;
/** How long a failed attempt to look at an empty place counts: one at an object store may take seconds. */
const UNUSABLE_TTL_MS = 10_000;

/**
 * Whether the folder of this process is the one that the other processes of the deployment use. The database holds the id
 * of that folder, and the folder holds it too. A folder that lost the id is ours where its address is the recorded one:
 * then its indexes are damaged, and can be repaired.
 */
export function createIndexHome(
  database: Database,
  generations: Generations,
  {
    uri,
    dataDir,
    moved,
    log,
  }: {
    readonly uri: string | undefined;
    readonly dataDir: string;
    readonly moved: boolean;
    readonly log: Log;
  },
) {
  const folder = generations.homeFolder;
  const address = addressOf(database.engine, uri, dataDir);
  let isOurs = false;
  let foreignAt = -Infinity;
  let isLogged = false;
  let probe: Promise<boolean> | undefined;
  let isUnusableLogged = false;
  const states = () => database.sql('search_index').where({ id: 'index' });
  const isMarked = (home: string) => IndexTables.isMarked(folder, home).catch(() => false);

  async function look(claims: boolean): Promise<boolean> {
    const { home, address: recorded } = await generations.state();
    if (home === '') {
      if (!moved && !(await generations.isHere())) return false;
      if (!claims) return true;
      const id = randomUUID();
      await IndexTables.mark(folder, id);
      await states().where({ home }).update({ home: id, address });
      return look(claims); // another process may have been first
    }
    isOurs = await isMarked(home);
    if (isOurs) return true;
    if (address !== recorded && !moved) return false;
    if (!claims) return true;
    await IndexTables.empty(folder); // what cannot be read cannot be marked either
    await IndexTables.mark(folder, home);
    await states().update({ address });
    isOurs = true;
    return true;
  }

  async function probePlace(): Promise<boolean> {
    try {
      await IndexTables.isFree(folder);
      return true;
    } catch (err) {
      if (!isUnusableLogged) log.error({ err, remedy: UNUSABLE_REMEDY }, UNUSABLE_PLACE);
      isUnusableLogged = true;
      setTimeout(() => (probe = undefined), UNUSABLE_TTL_MS).unref();
      return false;
    }
  }

  return {
    /** Whether an index can be made here. Of a place that has one, the checks of the indexes tell. */
    async isUsable(): Promise<boolean> {
      if (isOurs || (await generations.state()).home !== '') return true;
      probe ??= probePlace();
      return probe;
    },

    /** True where this process must neither write an index nor repair one. `claims`: it is about to. */
    async isForeign({ claims = false } = {}): Promise<boolean> {
      if (isOurs) return false;
      if (performance.now() - foreignAt < FOREIGN_TTL_MS) return true;
      if (await look(claims)) return false;
      foreignAt = performance.now();
      if (!isLogged) log.error({ remedy: FOREIGN_REMEDY }, FOREIGN_INDEX);
      isLogged = true;
      return true;
    },
  };
}
export type IndexHome = ReturnType<typeof createIndexHome>;

/** The data folder of the embedded database may be copied; a folder beside PostgreSQL is that of one machine. */
function addressOf(engine: Database['engine'], uri: string | undefined, dataDir: string): string {
  if (uri !== undefined && /^[a-z][a-z0-9+]+:\/\//iu.test(uri)) return uri;
  if (engine === 'sqlite' && uri === undefined) return 'the data folder';
  return `${hostname()}:${resolve(uri ?? dataDir)}`;
}
