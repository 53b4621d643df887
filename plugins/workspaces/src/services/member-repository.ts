import {
  CallAdmission,
  Clock,
  Database,
  Directory,
  Events,
  InvitationRecords,
  ServiceError,
  inviterOf,
  notFound,
  optional,
  provideForCall,
  selectPage,
  token,
  type PageOf,
  type PageRequest,
  type Role,
  type RecordEvents,
  type Sql,
} from '@service-mcp/core';
import type { Member } from '../schemas.js';
import { insertPending, ownerNeeded, withdrawUnentitled, withdrawn } from './pending-memberships.js';
import { findPerson, withPeople, type Person } from './people.js';
import { requireRole } from './role-now.js';
import { requireWorkspace } from './workspace-lock.js';

/**
 * Members of the admitted workspace, by user id, and the people who were invited to it (`pending`), by id of the
 * membership. Only an owner makes, changes or removes an owner.
 */
export interface MemberRepository {
  /** Oldest first. */
  list(request: PageRequest): Promise<PageOf<Member>>;
  get(id: string): Promise<Member>;
  /**
   * Invites the person with this address: the answer is the same whether it has an account or not. Throws CONFLICT for
   * a member and for a person who was invited already, NOT_FOUND in a deployment without accounts.
   */
  add(request: { email: string; role: Role }): Promise<Member>;
  /** Throws CONFLICT for the last owner, who cannot be demoted. */
  changeRole(id: string, role: Role): Promise<Member>;
  /** Returns the id of the membership that ended. Throws CONFLICT for the last owner. */
  remove(id: string): Promise<string>;
}
export const MemberRepository = token<MemberRepository>('workspaces.MemberRepository');

/** `email`: of a pending row, which has no user. */
type Row = Omit<Member, keyof Person> & { readonly email: string | null };

/** Members and invited people, as one table. Takes the time. */
const EVERYONE = `
  SELECT id, workspace_id, user_id, NULL AS email, role, 'accepted' AS status, created_at FROM memberships
  UNION ALL
  SELECT id, workspace_id, NULL, email, role, 'pending', created_at FROM pending_memberships
  WHERE expires_at IS NULL OR expires_at > ?`;

export const memberRepository = provideForCall(MemberRepository, {
  uses: {
    database: Database,
    clock: Clock,
    directory: optional(Directory),
    events: Events,
    invitations: optional(InvitationRecords),
    admission: CallAdmission,
  },
  create: ({ database, clock, directory, events, invitations, admission }) => {
    const members = (sql: Sql) =>
      sql
        .from(sql.raw(`(${EVERYONE}) AS members`, [clock.now().toISOString()]))
        .where({ workspace_id: admission.workspaceId })
        .select('*');

    async function find(sql: Sql, id: string): Promise<Row> {
      const row: Row | undefined = await members(sql)
        .where((either) => void either.where({ user_id: id }).orWhere({ id, status: 'pending' }))
        .first();
      if (!row) throw notFound('member', id, 'members_list');
      return row;
    }
    async function withPerson(row: Row): Promise<Member> {
      const [member] = await withPeople(directory, [row]);
      return member as Member; // one row gives one member
    }

    const changed = (type: string, { id, user_id }: Row, more: object = {}) => ({
      type,
      workspaceId: admission.workspaceId,
      data: { id, user_id, ...more },
    });

    /** Locks the workspace: one change of its members at a time, so that the roles that it reads stay the same. */
    const change = <T>(
      needed: Role,
      work: (sql: Sql, record: RecordEvents, owners: ReadonlySet<string>) => Promise<T>,
    ): Promise<T> =>
      events.change(async (sql, record) => {
        const id = admission.workspaceId;
        await requireWorkspace(sql, id);
        await requireRole(sql, { workspaceId: id, by: inviterOf(admission.caller), needed });
        const rows: Array<{ user_id: string }> = await sql('memberships').where({
          workspace_id: id,
          role: 'owner',
        });
        return work(sql, record, new Set(rows.map((row) => row.user_id)));
      });

    /** Checks the current role: an owner at admission may have been demoted since. */
    function requireOwner(owners: ReadonlySet<string>): void {
      const { caller } = admission;
      if (caller.kind === 'owner' || owners.has(caller.userId)) return;
      throw ownerNeeded();
    }
    function rejectLastOwner(owners: ReadonlySet<string>, userId: string | null): void {
      if (userId === null || owners.size > 1 || !owners.has(userId)) return;
      throw new ServiceError(
        'CONFLICT',
        'This is the last owner of the workspace. Make another member owner with members_update first.',
      );
    }

    /** Who changes an offer answers for it: it ends with their right to make it, no longer with that of its first author. */
    async function changeOffer(sql: Sql, record: RecordEvents, row: Row, role: Role): Promise<void> {
      const { id, workspace_id: workspaceId, email } = row;
      const invitedBy = inviterOf(admission.caller);
      await sql('pending_memberships').where({ id }).update({ role, invited_by: invitedBy });
      await invitations?.changeRole(sql, { workspaceId, email: email ?? '', role, invitedBy });
      record({ type: 'member.invited', workspaceId, data: { id, role } });
    }

    return {
      async list(request) {
        const page = await selectPage<Row, Row>(
          members(database.sql).orderBy([{ column: 'created_at' }, { column: 'id' }]),
          request,
          (row) => row,
        );
        return { ...page, items: await withPeople(directory, page.items) };
      },
      get: async (id) => withPerson(await find(database.sql, id)),
      async add({ email: given, role }) {
        const { email, userId } = await findPerson(directory, given);
        const createdAt = clock.now().toISOString();
        const { workspaceId, caller } = admission;
        const invited = await change('admin', async (sql, record, owners) => {
          if (role === 'owner') requireOwner(owners);
          const invitation = { workspaceId, email, userId, role, invitedBy: inviterOf(caller) };
          return insertPending(sql, record, { ...invitation, createdAt, replaces: false });
        });
        const { invited_by: _by, expires_at: _end, ...row } = invited;
        return withPerson({ ...row, user_id: null, status: 'pending' });
      },
      async changeRole(id, role) {
        const updated = await change('admin', async (sql, record, owners) => {
          const row = await find(sql, id);
          const { user_id: userId } = row;
          if (row.role === 'owner' || role === 'owner') requireOwner(owners);
          if (role !== 'owner') rejectLastOwner(owners, userId);
          if (row.role === role) return row;
          if (userId === null) await changeOffer(sql, record, row, role);
          else {
            await sql('memberships').where({ id: row.id }).update({ role });
            record(changed('member.updated', row, { role }));
            const { workspace_id: workspaceId } = row;
            await withdrawUnentitled(sql, record, invitations, { workspaceId, userId, role });
          }
          return { ...row, role };
        });
        return withPerson(updated);
      },
      async remove(id) {
        const needed = id === admission.caller.userId ? 'viewer' : 'admin'; // everybody may leave
        return change(needed, async (sql, record, owners) => {
          const row = await find(sql, id);
          const { user_id: userId } = row;
          if (row.role === 'owner' && userId !== admission.caller.userId) requireOwner(owners);
          rejectLastOwner(owners, userId);
          await sql(tableOf(row)).where({ id: row.id }).delete();
          const { workspace_id: workspaceId, email } = row;
          if (userId === null) {
            await invitations?.settle(sql, { workspaceId, email: email ?? '', outcome: 'ended' });
            withdrawn(record, row);
          } else {
            record(changed('member.removed', row));
            await withdrawUnentitled(sql, record, invitations, { workspaceId, userId });
          }
          return row.id;
        });
      },
    };
  },
});

const tableOf = ({ status }: Row) => (status === 'pending' ? 'pending_memberships' : 'memberships');
