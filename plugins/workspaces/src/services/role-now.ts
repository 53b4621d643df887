import { ServiceError, notFound, roleAtLeast, type Role, type Sql } from '@service-mcp/core';

/**
 * Checks a role again, where the workspace is locked: a caller admitted with it may have been removed or demoted since.
 * `by`: see `inviterOf`; the operator owns every workspace. Throws NOT_FOUND and PERMISSION_DENIED, as an admission does.
 */
export async function requireRole(
  sql: Sql,
  { workspaceId: workspace_id, by, needed }: { workspaceId: string; by: string; needed: Role },
): Promise<void> {
  if (by === '') return;
  const own: { role: Role } | undefined = await sql('memberships')
    .where({ workspace_id, user_id: by })
    .first('role');
  if (!own) throw notFound('workspace', workspace_id, 'workspaces_list');
  const { role } = own;
  if (roleAtLeast(role, needed)) return;
  throw new ServiceError(
    'PERMISSION_DENIED',
    `You are ${role} in this workspace; this needs ${needed}. Ask an owner or admin of it.`,
    { details: { role, needed, workspace_id } },
  );
}
