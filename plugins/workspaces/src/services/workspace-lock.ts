import { notFound, type Sql } from '@service-mcp/core';

/**
 * Locks the row of a workspace until the transaction ends, so that nothing is written into it beside its deletion. False where
 * it is deleted. SQLite has one writer anyway.
 */
export async function lockWorkspace(sql: Sql, id: string): Promise<boolean> {
  return (await sql('workspaces').where({ id }).forUpdate().first('id')) !== undefined;
}

/** {@link lockWorkspace}. Throws NOT_FOUND where it is deleted. */
export async function requireWorkspace(sql: Sql, id: string): Promise<void> {
  if (!(await lockWorkspace(sql, id))) throw notFound('workspace', id, 'workspaces_list');
}

/** Keeps a workspace from being deleted until the transaction ends, beside others that do. Throws NOT_FOUND where it is deleted. */
export async function holdWorkspace(sql: Sql, id: string): Promise<void> {
  if (!(await sql('workspaces').where({ id }).forShare().first('id')))
    throw notFound('workspace', id, 'workspaces_list');
}
