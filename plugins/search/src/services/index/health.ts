import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@service-mcp/core';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { IndexSource } from '../../contract.js';
import { isOutage } from '../outage.js';
import type { Generations, Place } from './generations.js';
import { FOREIGN_INDEX, type IndexHome } from './index-home.js';
import { IndexTables, UnmarkedIndex } from './index-tables.js';
import { lancedb } from './lance.js';

export interface HealthyIndex {
  readonly healthy: true;
  readonly generation: number;
  readonly tables: IndexTables;
  readonly place: Place;
}

/** Nothing of the workspace was indexed yet. */
export interface NoIndex {
  readonly healthy: true;
  readonly generation: 0;
  readonly tables: undefined;
}

export interface DamagedIndex {
  readonly healthy: false;
  readonly generation: number;
  readonly reason: string;
}

export type Health = HealthyIndex | NoIndex | DamagedIndex;

const NO_INDEX: NoIndex = { healthy: true, generation: 0, tables: undefined };

/** How long a check is cached. */
const HEALTH_TTL_MS = 1000;
/** How long a check of all indexes is cached; indexes that were found damaged are checked each time. */
const OVERALL_TTL_MS = 60_000;
/** Reading an index through takes a second or more. */
const BLAME_EVERY_MS = 10_000;
const CHECKS_AT_ONCE = 8;
const MAX_CHECKED = 10_000;
const OLDER = 'files of the index are older than the database: some were lost or replaced';

/**
 * Whether the index of a workspace can be trusted: its folder carries the marker that SQL names, holds at least as many
 * documents as SQL says are indexed, its tables are not older than after the last write, and its columns can be read. The
 * last two are checked once per process and generation, and again after a failed read; a fault is never cached. `readable`
 * is told of each index whose columns were read.
 */
export function createIndexCheck(
  generations: Generations,
  home: IndexHome,
  sources: readonly IndexSource[],
  log: Log,
  readable: (place: Place, tables: IndexTables) => void = () => undefined,
) {
  type Checked = { readonly at: number; readonly health: Promise<HealthyIndex | DamagedIndex> };
  const checked = new LRUCache<string, Checked>({ max: MAX_CHECKED });
  /** The markers of the generations whose columns were read. */
  const wereRead = new LRUCache<string, true>({ max: MAX_CHECKED });
  /** Workspaces whose index was found damaged, and why. */
  const damaged = new Map<string, string>();
  const blamed = new LRUCache<string, number>({ max: MAX_CHECKED });
  let sweptAt = -Infinity;

  async function isShort({ workspaceId, shared }: Place, tables: IndexTables): Promise<boolean> {
    if (shared) return false; // its documents wait to be indexed elsewhere
    let expected = 0;
    for (const source of sources) expected += await source.indexedTotal(workspaceId);
    return (await tables.documents.countRows()) < expected;
  }

  async function isOlder(place: Place, tables: IndexTables): Promise<boolean> {
    const noted = Object.entries(await generations.versions(place));
    const held = await tables.versions();
    return noted.some(([name, version]) => (held[name] ?? 0) < version);
  }

  async function look(place: Place): Promise<HealthyIndex | DamagedIndex> {
    const { generation, marker, workspaceId } = place;
    const sick = (reason: string): DamagedIndex => {
      checked.delete(marker + workspaceId);
      damaged.set(workspaceId, reason);
      return { healthy: false, generation, reason };
    };
    if (await home.isForeign()) return sick(FOREIGN_INDEX);
    try {
      const tables = await generations.tables(place);
      // A document can be deleted between the two counts: only a second mismatch is a fault.
      if ((await isShort(place, tables)) && (await delay(50), await isShort(place, tables))) {
        return sick('the index holds fewer documents than the database says are indexed');
      }
      if (!wereRead.has(marker)) {
        if (await isOlder(place, tables)) return sick(OLDER);
        await readThrough(tables);
        wereRead.set(marker, true);
        readable(place, tables);
      }
      damaged.delete(workspaceId);
      return { healthy: true, generation, tables, place };
    } catch (error) {
      if (isOutage(error)) {
        checked.delete(marker + workspaceId);
        throw error;
      }
      const reason = faultOf(error);
      const isTold = damaged.get(workspaceId) === reason; // every search and every probe looks again
      const fields = { err: error, workspace: workspaceId, generation };
      log[isTold ? 'debug' : 'error'](fields, 'an index cannot be opened or read');
      wereRead.delete(marker);
      return sick(reason);
    }
  }

  function healthOf(place: Place, fresh: boolean): Promise<HealthyIndex | DamagedIndex> {
    const key = place.marker + place.workspaceId;
    const known = fresh ? undefined : checked.get(key);
    if (known && performance.now() - known.at < HEALTH_TTL_MS) return known.health;
    const health = look(place);
    checked.set(key, { at: performance.now(), health });
    return health;
  }

  /** A missing or foreign folder of an index that is not in use. */
  async function checkMarker({ workspaceId, folder, marker }: Place): Promise<void> {
    const isMarked = await IndexTables.isMarked(folder, marker).catch(() => false);
    if (!isMarked) await read(workspaceId); // opens it, and says what is wrong
  }

  async function read(workspaceId: string, { fresh = false } = {}): Promise<Health> {
    const place = await generations.serving(workspaceId);
    if (place) return healthOf(place, fresh);
    damaged.delete(workspaceId);
    return NO_INDEX;
  }

  return {
    /** See IndexHome. */
    isForeign: () => home.isForeign(),
    /** See IndexHome. */
    isUsable: () => home.isUsable(),

    /** The state of the index that answers a workspace; cached for a second unless it must be `fresh`. */
    read,

    /** The state of the index that documents of a workspace are written to; makes the first one. */
    async write(workspaceId: string, { fresh = false } = {}): Promise<HealthyIndex | DamagedIndex> {
      if (await home.isForeign({ claims: true }))
        return { healthy: false, generation: 0, reason: FOREIGN_INDEX };
      return healthOf(await generations.writing(workspaceId), fresh);
    },

    /** After a failed read or write: checks whether the index is at fault, every ten seconds at most. */
    async blame(error: unknown, { workspaceId, marker }: Place): Promise<Health> {
      const last = blamed.get(marker + workspaceId) ?? -Infinity;
      if (performance.now() - last < BLAME_EVERY_MS) return read(workspaceId);
      blamed.set(marker + workspaceId, performance.now());
      log.error({ err: error, workspace: workspaceId }, 'an index failed on a read or write');
      wereRead.delete(marker);
      return read(workspaceId, { fresh: true });
    },

    /**
     * The workspaces whose index is damaged, and why. Once a minute all are checked: those in use by reading them, the
     * others by their markers alone, since opening a thousand of them would close those in use. `thorough`: all by reading
     * them, now.
     */
    async damaged({ thorough = false } = {}): Promise<ReadonlyMap<string, string>> {
      const suspects = new Set(damaged.keys());
      const others: Place[] = [];
      if (thorough || performance.now() - sweptAt > OVERALL_TTL_MS) {
        sweptAt = performance.now();
        for (const place of await generations.places()) {
          if (thorough || generations.isOpen(place)) suspects.add(place.workspaceId);
          else others.push(place);
        }
      }
      const queue = new PQueue({ concurrency: CHECKS_AT_ONCE });
      await queue.addAll([...suspects].map((workspaceId) => () => read(workspaceId, { fresh: thorough })));
      await queue.addAll(others.map((place) => () => checkMarker(place)));
      return damaged;
    },
  };
}
export type IndexCheck = ReturnType<typeof createIndexCheck>;

/** What is wrong with an index that does not open, without the words of the library, which the log has. */
function faultOf(error: unknown): string {
  if (error instanceof UnmarkedIndex) return 'its folder has the index of another database, or an older one';
  const text = String(error);
  if (/permission denied/i.test(text)) return 'the service has no right to read the files of the index';
  if (/not found|no such file/i.test(text)) return 'files of the index are missing';
  return 'files of the index are damaged or cannot be read';
}

/** Reads the queried columns once, so that a torn data file shows now and not in an answer. */
async function readThrough(tables: IndexTables): Promise<void> {
  await tables.documents.countRows('length(sha256) < 0');
  await tables.chunks.countRows('length(text) < 0 OR length(terms) < 0');
  for (const column of ['terms', 'stops']) {
    const probe = new (lancedb().MatchQuery)('the', column);
    await tables.chunks.query().fullTextSearch(probe).select(['id']).limit(1).toArray();
  }
  for (const [dimensions, table] of tables.vectorTables) {
    await table.countRows('length(chunk_id) < 0 OR vector IS NULL');
    await table
      .query()
      .nearestTo(Array.from({ length: dimensions }, () => 1))
      .select(['chunk_id'])
      .limit(1)
      .toArray();
  }
}
