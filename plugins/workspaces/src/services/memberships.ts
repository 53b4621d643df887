import { Database, Memberships, provide, type Caller, type Role } from '@service-mcp/core';

/** Who is what, where. The local owner of a deployment without accounts owns every workspace. */
export const memberships = provide(Memberships, {
  uses: { database: Database },
  create: ({ database }) => ({
    async of(caller) {
      const rows = (await visible(database, caller).orderBy('workspaces.id')) as MembershipRow[];
      return new Map(rows.map((row) => [row.workspace_id, row.role]));
    },
    async roleIn(caller, workspaceId) {
      const row = (await visible(database, caller).where('workspaces.id', workspaceId).first()) as
        | MembershipRow
        | undefined;
      return row?.role;
    },
  }),
});

interface MembershipRow {
  readonly workspace_id: string;
  readonly role: Role;
}

function visible(database: Database, caller: Caller) {
  const query = database.sql('workspaces').whereNull('workspaces.deleted_at');
  if (caller.workspaceId !== undefined) query.where('workspaces.id', caller.workspaceId);
  if (caller.kind === 'owner') {
    return query.select({ workspace_id: 'workspaces.id', role: database.sql.raw("'owner'") });
  }
  return query
    .join('memberships', 'memberships.workspace_id', 'workspaces.id')
    .where('memberships.user_id', caller.userId)
    .select({ workspace_id: 'workspaces.id', role: 'memberships.role' });
}
