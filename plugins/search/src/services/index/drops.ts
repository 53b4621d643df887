import type { Database, Sql } from '@service-mcp/core';
import { literal } from './filter.js';
import { forgetIndex, type Generations } from './generations.js';
import type { IndexCheck } from './health.js';

/** A deleted workspace or project whose rows have to leave the index. */
interface DropRow {
  readonly scope: 'workspace' | 'project';
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

async function note(sql: Sql, drop: DropRow): Promise<void> {
  await sql('search_drops').insert(drop).onConflict(['scope', 'id']).ignore();
}

/**
 * Takes deleted workspaces and projects out of the index. Run by the indexer between its batches, so that nothing it had
 * claimed before the deletion is written after it. A damaged index needs none: it is built again without these rows.
 */
export async function applyDrops(
  database: Database,
  { generations, check }: { readonly generations: Generations; readonly check: IndexCheck },
): Promise<readonly DropRow[]> {
  const drops = await database.sql<DropRow>('search_drops').limit(DROPS_PER_ROUND);
  for (const { scope, id, index_of, generation } of drops) {
    if (scope === 'workspace') await generations.remove(id, generation);
    else if (index_of !== '') {
      const index = await check.read(index_of);
      if (index.healthy) await index.tables?.dropWhere(`project_id = ${literal(id)}`);
    }
    await database.sql('search_drops').where({ scope, id }).delete();
  }
  return drops;
}
