import type { Sql } from '@service-mcp/core';

/** The columns of a file that becomes pending at `now`; one that waits already waits since then. */
export function pendingAgain(sql: Sql, now: string) {
  return {
    revision: sql.raw('files.revision + 1'),
    pending_since: sql.raw(
      "CASE WHEN files.indexing_status = 'pending' THEN files.pending_since ELSE ? END",
      [now],
    ),
    indexing_status: 'pending',
    indexing_error: null,
    attempts: 0,
    next_attempt_at: '',
  };
}

/** Marks living files as deleted: pending, so that the indexer takes them out. Returns how many. */
export async function markRemoved(
  sql: Sql,
  now: string,
  where: Readonly<Record<string, string>>,
  paths?: readonly string[],
): Promise<number> {
  const query = sql('files').where({ ...where, deleted: 0 });
  if (paths) query.whereIn('path', [...paths]);
  return query.update({ deleted: 1, ...pendingAgain(sql, now) });
}

/** Drops contents of a workspace that no living file has any more, among `hashes` or all. */
export async function pruneContents(
  sql: Sql,
  workspaceId: string,
  hashes?: readonly string[],
): Promise<void> {
  const query = sql('file_contents')
    .where('workspace_id', workspaceId)
    .whereNotExists((used) =>
      used
        .select(sql.raw('1'))
        .from('files')
        .whereRaw('files.workspace_id = file_contents.workspace_id')
        .whereRaw('files.sha256 = file_contents.sha256')
        .where('files.deleted', 0),
    );
  if (hashes) query.whereIn('sha256', [...hashes]);
  await query.delete();
}

/**
 * Takes the workspace's place for writers of contents: one at a time, so that none prunes what another is
 * about to use. SQLite has one writer anyway.
 */
export async function lockWorkspace(
  sql: Sql,
  engine: 'sqlite' | 'postgresql',
  workspaceId: string,
): Promise<void> {
  if (engine === 'postgresql') await sql('workspaces').where({ id: workspaceId }).forUpdate().first('id');
}

/** Removes projects and workspaces that were deleted and hold no file any more. */
export async function purgeEmptied(sql: Sql): Promise<void> {
  await sql('projects')
    .whereNotNull('deleted_at')
    .whereNotExists((files) =>
      files.select(sql.raw('1')).from('files').whereRaw('files.project_id = projects.id'),
    )
    .delete();
  await sql('workspaces')
    .whereNotNull('deleted_at')
    .whereNotExists((projects) =>
      projects.select(sql.raw('1')).from('projects').whereRaw('projects.workspace_id = workspaces.id'),
    )
    .delete();
}
