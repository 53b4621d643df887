import type { Database, Leases, Log, Sql } from '@service-mcp/core';
import type { IndexSource } from '../../contract.js';
import { eraseSpaces } from '../embedding/space-store.js';
import { literal } from './filter.js';
import { forgetIndex, type Generations } from './generations.js';
import type { IndexCheck } from './health.js';
import { eraseSegments } from '../trigrams/segment-store.js';
import { takeIndexLease } from './index-lease.js';
import type { Upkeep } from './upkeep.js';

/** Something whose rows have to leave an index: a deleted workspace or project, or a document to be indexed again. */
interface DropRow {
  readonly scope: 'workspace' | 'project' | 'document';
  readonly id: string;
  /** The workspace whose index holds the rows, and the generation of it. */
  readonly index_of: string;
  readonly generation: number;
}

const DROPS_PER_ROUND = 100;
/** When the notes of an index that cannot be read, or fails, are tried again. */
const RETRY_MS = 1000;

/** Notes a deleted workspace, in the transaction of its deletion. */
export async function noteDroppedWorkspace(sql: Sql, id: string): Promise<void> {
  await note(sql, { scope: 'workspace', id, index_of: id, generation: await forgetIndex(sql, id) });
}

/** Notes a deleted project, in the transaction of its deletion. */
export async function noteDroppedProject(sql: Sql, id: string, workspaceId: string): Promise<void> {
  await note(sql, { scope: 'project', id, index_of: workspaceId, generation: 0 });
}

/**
 * Notes documents that a process may have written after it had lost its lease, over the rows of another: whoever holds the
 * lease next removes and indexes them again.
 */
export async function noteUncertainDocuments(
  database: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  await database.transaction(async (sql) => {
    for (const id of ids) await note(sql, { scope: 'document', id, index_of: workspaceId, generation: 0 });
  });
}

async function note(sql: Sql, drop: DropRow): Promise<void> {
  await sql('search_drops').insert(drop).onConflict(['scope', 'id']).ignore();
}

interface DropParts {
  readonly database: Database;
  readonly generations: Generations;
  readonly check: IndexCheck;
  readonly leases: Leases;
  readonly sources: readonly IndexSource[];
  readonly upkeep: Upkeep;
  readonly log: Log;
}

/**
 * Takes what was noted out of the indexes, each under its lease, so that nothing that was claimed before a deletion is
 * written after it. A note stays while its index cannot be read, or fails: it may come back as it was.
 */
export class Drops {
  readonly #parts: DropParts;
  /** Workspaces whose notes stayed, and when they are tried again. */
  readonly #waiting = new Map<string, number>();
  /** The last id of the former round: notes that stay hold no others up. */
  #after = '';

  constructor(parts: DropParts) {
    this.#parts = parts;
  }

  /** Whether anything can leave an index. */
  async hasWork(): Promise<boolean> {
    const { database, check } = this.#parts;
    const workspaces: string[] = await database.sql('search_drops').distinct().pluck('index_of');
    for (const workspaceId of workspaces) if ((await check.read(workspaceId)).healthy) return true;
    return false;
  }

  /** Applies some of the notes. */
  async apply(): Promise<void> {
    const { database, leases, log } = this.#parts;
    const drops = await database
      .sql<DropRow>('search_drops')
      .where('id', '>', this.#after)
      .orderBy('id')
      .limit(DROPS_PER_ROUND);
    this.#after = drops.length < DROPS_PER_ROUND ? '' : (drops.at(-1)?.id ?? '');
    const failed = new Set<string>();
    for (const same of together(drops)) {
      const [{ scope, index_of }] = same;
      const ids = same.map(({ id }) => id);
      if (performance.now() < (this.#waiting.get(index_of) ?? 0)) continue;
      this.#waiting.delete(index_of);
      try {
        await using lease = await takeIndexLease(leases, index_of);
        if (!lease) continue;
        if (await this.#apply(same[0], ids))
          await database.sql('search_drops').where({ scope }).whereIn('id', ids).delete();
        else this.#waiting.set(index_of, performance.now() + RETRY_MS);
      } catch (error) {
        log.warn({ err: error, scope, ids, workspace: index_of }, 'what was deleted is still in an index');
        failed.add(index_of); // its other notes may succeed
      }
    }
    for (const workspaceId of failed) this.#waiting.set(workspaceId, performance.now() + RETRY_MS);
  }

  /** False where the index cannot be read. `ids`: of documents, all that leave it together. */
  async #apply({ scope, id, index_of, generation }: DropRow, ids: readonly string[]): Promise<boolean> {
    const { database, generations, check, sources, upkeep } = this.#parts;
    if (scope === 'workspace') {
      await generations.remove(id, generation);
      // Records that were written while the workspace was deleted.
      await database.transaction((sql) => eraseSpaces(sql, { workspace_id: id }));
      await eraseSegments(database.sql, id);
      return true;
    }
    if (index_of === '') return true;
    const index = await check.read(index_of);
    if (!index.healthy) return false;
    if (scope === 'project') await index.tables?.dropWhere(`project_id = ${literal(id)}`);
    else {
      // Before its rows go, so that the index never holds fewer documents than SQL says.
      for (const source of sources) await source.requeue(index_of, ids);
      await index.tables?.remove(ids);
    }
    // As after any write: maintenance takes what was removed out of the files too.
    if (index.tables) await upkeep.wrote(index, 0);
    return true;
  }
}

/** Documents of one index are taken out together, everything else by itself. */
function together(drops: readonly DropRow[]): Iterable<readonly [DropRow, ...DropRow[]]> {
  const groups = new Map<string, [DropRow, ...DropRow[]]>();
  for (const drop of drops) {
    const key = `${drop.scope} ${drop.scope === 'document' ? drop.index_of : drop.id}`;
    const same = groups.get(key);
    if (same) same.push(drop);
    else groups.set(key, [drop]);
  }
  return groups.values();
}
