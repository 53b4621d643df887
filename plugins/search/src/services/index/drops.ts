import type { Database, Sql } from '@service-mcp/core';
import type { IndexTables } from './index-tables.js';

interface DropRow {
  readonly scope: 'workspace' | 'project';
  readonly id: string;
}

const DROPS_PER_ROUND = 100;

/** Notes, in the transaction that deletes a workspace or project, that its rows have to leave the index. */
export async function noteDrop(sql: Sql, scope: DropRow['scope'], id: string): Promise<void> {
  await sql('search_drops').insert({ scope, id }).onConflict(['scope', 'id']).ignore();
}

/**
 * Takes deleted workspaces and projects out of the index. Run by the indexer between its batches, so that nothing it had
 * claimed before the deletion is written after it.
 */
export async function applyDrops(database: Database, tables: IndexTables): Promise<readonly DropRow[]> {
  const drops = await database.sql<DropRow>('search_drops').limit(DROPS_PER_ROUND);
  for (const { scope, id } of drops) {
    await tables.dropWhere(`${scope}_id`, id);
    await database.sql('search_drops').where({ scope, id }).delete();
  }
  return drops;
}
