import type { Sql } from '@service-mcp/core';

/** Which of the nodes are in the workspace. They are locked against deletion until the transaction ends. */
export async function livingNodes(
  sql: Sql,
  ids: readonly string[],
  workspace_id: string,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = sql('memory_nodes')
    .where({ workspace_id, deleted: 0 })
    .whereIn('id', [...new Set(ids)]);
  return new Set((await rows.orderBy('id').forShare().pluck('id')) as string[]);
}
