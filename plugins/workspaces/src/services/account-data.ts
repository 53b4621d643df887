import {
  AccountData,
  FormerPlugins,
  InvitationRecords,
  ServiceError,
  WorkspaceData,
  contribute,
  optional,
  type Role,
  type Sql,
} from '@service-mcp/core';
import { eraseWorkspace } from './erase-workspace.js';
import { takePending, withdrawUnentitled, withdrawn } from './pending-memberships.js';
import { lockWorkspace } from './workspace-lock.js';

interface Membership {
  readonly id: string;
  readonly workspace_id: string;
  readonly role: Role;
}

/** Workspaces that a refusal names at most. */
const NAMED = 10;

/** Memberships of a deleted account, those that wait for it, and those that it offered. */
export const accountData = contribute(AccountData, {
  uses: { data: WorkspaceData, former: FormerPlugins, invitations: optional(InvitationRecords) },
  create: ({ data, former, invitations }): AccountData => ({
    async erase(sql, record, { userId: user_id, email, deleteWorkspaces }) {
      const own = await lockOwn(sql, user_id);
      const { alone, ownerless } = await needed(sql, user_id, own);
      const kept = deleteWorkspaces ? [] : alone;
      const isLater = email === undefined; // nobody could settle anything
      if (!isLater && kept.length + ownerless.length > 0) throw await stillNeeded(sql, kept, ownerless);
      for (const { id, workspace_id: workspaceId } of own) {
        if (deleteWorkspaces && alone.includes(workspaceId)) {
          await eraseWorkspace(sql, record, workspaceId, { data, former });
          continue;
        }
        await sql('memberships').where({ id }).delete();
        record({ type: 'member.removed', workspaceId, data: { id, user_id } });
        await withdrawUnentitled(sql, record, invitations, { workspaceId, userId: user_id });
      }
      if (email !== undefined) for (const row of await takePending(sql, { email })) withdrawn(record, row);
    },
  }),
});

/**
 * The memberships of an account, with their workspaces locked in a fixed order, so that two deletions never deadlock. They are
 * read once more behind the locks: the change of members that was waited for may have made it an owner, or ended one.
 */
async function lockOwn(sql: Sql, user_id: string): Promise<Membership[]> {
  const own = () => sql('memberships').where({ user_id }).orderBy('workspace_id');
  const locked = new Set<string>();
  for (const { workspace_id } of (await own()) as Membership[])
    if (await lockWorkspace(sql, workspace_id)) locked.add(workspace_id);
  const found: Membership[] = await own();
  return found.filter(({ workspace_id }) => locked.has(workspace_id));
}

/** Workspaces in which an account is the only member, and those in which it is the only owner of several members. */
async function needed(sql: Sql, user_id: string, own: readonly Membership[]) {
  const alone: string[] = [];
  const ownerless: string[] = [];
  for (const { workspace_id, role } of own) {
    const others: Array<{ role: Role }> = await sql('memberships')
      .where({ workspace_id })
      .whereNot({ user_id })
      .select('role');
    if (others.length === 0) alone.push(workspace_id);
    else if (role === 'owner' && others.every((other) => other.role !== 'owner'))
      ownerless.push(workspace_id);
  }
  return { alone, ownerless };
}

async function stillNeeded(
  sql: Sql,
  alone: readonly string[],
  ownerless: readonly string[],
): Promise<ServiceError> {
  const named = async (ids: readonly string[]) => {
    const rows: Array<{ name: string }> = await sql('workspaces').whereIn('id', ids).orderBy('name');
    const names = rows.slice(0, NAMED).map(({ name }) => JSON.stringify(name));
    return names.join(', ') + (rows.length > NAMED ? ` and ${rows.length - NAMED} more` : '');
  };
  const reasons: string[] = [];
  const remedies: string[] = [];
  if (ownerless.length > 0) {
    reasons.push(`the only owner of ${await named(ownerless)}`);
    remedies.push('first make another member owner with members_update');
  }
  if (alone.length > 0) {
    reasons.push(`the only member of ${await named(alone)}`);
    remedies.push('pass delete_workspaces to delete the workspaces that have no other member');
  }
  const message = `The account is ${reasons.join(', and ')}. To delete it, ${remedies.join(', and ')}.`;
  return new ServiceError('CONFLICT', message, {
    details: { only_member_of: [...alone], only_owner_of: [...ownerless] },
  });
}
