import type { Database, Leases, Sql } from '@service-mcp/core';
import type { IndexSource } from '../../contract.js';
import { literal } from './filter.js';
import { forgetIndex, type Generations } from './generations.js';
import type { IndexCheck } from './health.js';
import { eraseSegments } from '../trigrams/segment-store.js';
import { takeIndexLease } from './index-lease.js';

/** Something whose rows have to leave an index: a deleted workspace or project, or a document to be indexed again. */
interface DropRow {
  readonly scope: 'workspace' | 'project' | 'document';
  readonly id: string;
  /** The workspace whose index holds the rows, and the generation of it. */
  readonly index_of: string;
  readonly generation: number;
}

const DROPS_PER_ROUND = 100;

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

/** Whether anything has to leave an index. */
export async function hasDrops(database: Database): Promise<boolean> {
  return (await database.sql<DropRow>('search_drops').first('id')) !== undefined;
}

/**
 * Takes what was noted out of the indexes, each under its lease, so that nothing that was claimed before a deletion is
 * written after it. A damaged index needs none: it is built again without these rows.
 */
export async function applyDrops(
  database: Database,
  parts: {
    readonly generations: Generations;
    readonly check: IndexCheck;
    readonly leases: Leases;
    readonly sources: readonly IndexSource[];
  },
): Promise<void> {
  const { generations, check, leases, sources } = parts;
  const drops = await database.sql<DropRow>('search_drops').limit(DROPS_PER_ROUND);
  for (const { scope, id, index_of, generation } of drops) {
    await using lease = await takeIndexLease(leases, index_of);
    if (!lease) continue;
    if (scope === 'workspace') {
      await generations.remove(id, generation);
      await eraseSegments(database.sql, id); // what was written while the workspace was deleted
    } else if (index_of !== '') {
      // Before its rows go, so that the index never holds fewer documents than SQL says.
      if (scope === 'document') for (const source of sources) await source.requeue(index_of, [id]);
      const index = await check.read(index_of);
      if (index.healthy && scope === 'document') await index.tables?.remove([id]);
      else if (index.healthy) await index.tables?.dropWhere(`project_id = ${literal(id)}`);
    }
    await database.sql('search_drops').where({ scope, id }).delete();
  }
}
