import {
  CallAdmission,
  Clock,
  Database,
  Directory,
  Events,
  ServiceError,
  notFound,
  optional,
  provideForCall,
  selectPage,
  token,
  uuidv7,
  type PageOf,
  type PageRequest,
  type Role,
  type RecordEvents,
  type Sql,
} from '@service-mcp/core';
import type { Member } from '../schemas.js';
import { findPerson, withPeople, type Person } from './people.js';

/** Members of the admitted workspace. Only an owner makes, changes or removes an owner. */
export interface MemberRepository {
  /** Sorted by the time of joining, oldest first. */
  list(request: PageRequest): Promise<PageOf<Member>>;
  get(userId: string): Promise<Member>;
  /** Throws NOT_FOUND for an address without an account, CONFLICT for a member. */
  add(request: { email: string; role: Role }): Promise<Member>;
  /** Throws CONFLICT for the last owner, who cannot be demoted. */
  changeRole(userId: string, role: Role): Promise<Member>;
  /** Returns the id of the membership that ended. Throws CONFLICT for the last owner. */
  remove(userId: string): Promise<string>;
}
export const MemberRepository = token<MemberRepository>('workspaces.MemberRepository');

type Row = Omit<Member, keyof Person>;
const COLUMNS = ['id', 'workspace_id', 'user_id', 'role', 'created_at'] as const;

export const memberRepository = provideForCall(MemberRepository, {
  uses: {
    database: Database,
    clock: Clock,
    directory: optional(Directory),
    events: Events,
    admission: CallAdmission,
  },
  create: ({ database, clock, directory, events, admission }) => {
    const members = (sql: Sql) =>
      sql<Row>('memberships')
        .where({ workspace_id: admission.workspaceId })
        .select(...COLUMNS);

    async function find(sql: Sql, userId: string): Promise<Row> {
      const row = await members(sql).where({ user_id: userId }).first();
      if (!row) throw notFound('member', userId, 'members_list');
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
      work: (sql: Sql, record: RecordEvents, owners: ReadonlySet<string>) => Promise<T>,
    ): Promise<T> =>
      events.change(async (sql, record) => {
        const id = admission.workspaceId;
        const workspace = (await sql('workspaces')
          .where({ id })
          .forUpdate() // SQLite has one writer anyway
          .first('id')) as unknown;
        if (!workspace) throw notFound('workspace', id, 'workspaces_list');
        const rows = await members(sql).where({ role: 'owner' });
        return work(sql, record, new Set(rows.map((row) => row.user_id)));
      });

    /** Checks the current role: an owner at admission may have been demoted since. */
    function requireOwner(owners: ReadonlySet<string>): void {
      const { caller } = admission;
      if (caller.kind === 'owner' || owners.has(caller.userId)) return;
      throw new ServiceError(
        'PERMISSION_DENIED',
        'Only an owner may make, change or remove an owner of this workspace. Ask one of them; members_list names them.',
        { details: { needed: 'owner' } },
      );
    }
    function rejectLastOwner(owners: ReadonlySet<string>, userId: string): void {
      if (owners.size > 1 || !owners.has(userId)) return;
      throw new ServiceError(
        'CONFLICT',
        'This is the last owner of the workspace. Make another member owner with members_update first.',
      );
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
      get: async (userId) => withPerson(await find(database.sql, userId)),
      async add({ email, role }) {
        const person = await findPerson(directory, email);
        const row: Row = {
          id: uuidv7(),
          workspace_id: admission.workspaceId,
          user_id: person.id,
          role,
          created_at: clock.now().toISOString(),
        };
        await change(async (sql, record, owners) => {
          if (role === 'owner') requireOwner(owners);
          const known = await members(sql).where({ user_id: person.id }).first();
          if (known) {
            throw new ServiceError(
              'CONFLICT',
              `${email} is ${known.role} of this workspace already. Change the role with members_update.`,
              { details: { user_id: known.user_id, role: known.role } },
            );
          }
          await sql('memberships').insert(row);
          record(changed('member.added', row, { role }));
        });
        return withPerson(row);
      },
      async changeRole(userId, role) {
        const updated = await change(async (sql, record, owners) => {
          const row = await find(sql, userId);
          if (row.role === 'owner' || role === 'owner') requireOwner(owners);
          if (role !== 'owner') rejectLastOwner(owners, userId);
          await sql('memberships').where({ id: row.id }).update({ role });
          if (row.role !== role) record(changed('member.updated', row, { role }));
          return { ...row, role };
        });
        return withPerson(updated);
      },
      async remove(userId) {
        return change(async (sql, record, owners) => {
          const row = await find(sql, userId);
          if (row.role === 'owner' && userId !== admission.caller.userId) requireOwner(owners);
          rejectLastOwner(owners, userId);
          await sql('memberships').where({ id: row.id }).delete();
          record(changed('member.removed', row));
          return row.id;
        });
      },
    };
  },
});
