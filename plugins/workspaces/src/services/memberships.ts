import { Clock, Database, Memberships, provide, uuidv7, type Caller, type Role } from '@service-mcp/core';
import { takePending } from './pending-memberships.js';
import { lockWorkspace } from './workspace-lock.js';

/** Roles of people in workspaces. The local owner of a deployment without accounts owns every workspace. */
export const memberships = provide(Memberships, {
  uses: { database: Database, clock: Clock },
  create: ({ database, clock }) => {
    const owned = database.prepare<MembershipRow>('workspaces_owned', OWNED);
    const joined = database.prepare<MembershipRow>('workspaces_joined', JOINED);
    return {
      async of(caller) {
        const rows: MembershipRow[] = await visible(database, caller).orderBy('workspaces.id');
        return new Map(rows.map((row) => [row.workspace_id, row.role]));
      },
      async roleIn(caller, workspaceId) {
        if (caller.workspaceId !== undefined && caller.workspaceId !== workspaceId) return undefined;
        const isOwner = caller.kind === 'owner';
        return (isOwner ? await owned(workspaceId) : await joined(workspaceId, caller.userId))?.role;
      },
      async named(caller) {
        const rows: Array<MembershipRow & { readonly name: string }> = await visible(database, caller)
          .select({ name: 'workspaces.name' })
          .orderBy([{ column: 'workspaces.name' }, { column: 'workspaces.id' }]);
        return rows.map(({ workspace_id: id, name, role }) => ({ id, name, role }));
      },
      async join(sql, record, { workspaceId: workspace_id, userId: user_id, ...asked }) {
        if (!(await lockWorkspace(sql, workspace_id))) return false; // deleted since
        const role =
          asked.email === undefined
            ? asked.role
            : (await takePending(sql, { workspace_id, email: asked.email }))[0]?.role;
        if (role === undefined) return false; // withdrawn since
        const row = { id: uuidv7(), workspace_id, user_id, role, created_at: clock.now().toISOString() };
        await sql('memberships').insert(row).onConflict(['workspace_id', 'user_id']).ignore();
        if (!(await sql('memberships').where({ id: row.id }).first('id'))) return true; // already a member
        const data = { id: row.id, user_id, role };
        record({ type: 'member.added', workspaceId: workspace_id, data });
        return true;
      },
    };
  },
});

const OWNED = "SELECT id AS workspace_id, 'owner' AS role FROM workspaces WHERE id = ?";
const JOINED = 'SELECT workspace_id, role FROM memberships WHERE workspace_id = ? AND user_id = ?';

interface MembershipRow {
  readonly workspace_id: string;
  readonly role: Role;
}

function visible(database: Database, caller: Caller) {
  const query = database.sql('workspaces');
  if (caller.workspaceId !== undefined) query.where('workspaces.id', caller.workspaceId);
  if (caller.kind === 'owner') {
    return query.select({ workspace_id: 'workspaces.id', role: database.sql.raw("'owner'") });
  }
  return query
    .join('memberships', 'memberships.workspace_id', 'workspaces.id')
    .where('memberships.user_id', caller.userId)
    .select({ workspace_id: 'workspaces.id', role: 'memberships.role' });
}
