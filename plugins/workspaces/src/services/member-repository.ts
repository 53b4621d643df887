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
  type Role,
  type RecordEvents,
  type Sql,
} from '@service-mcp/core';
import type { Member } from '../schemas.js';
import { findPerson, namePeople, type Person } from './people.js';

/** The members of the workspace that a call was admitted to. Owners are for owners to make, change and remove. */
export interface MemberRepository {
  /** Sorted by the time of joining, oldest first. */
  list(request: { page: number; per_page: number }): Promise<PageOf<Member>>;
  get(userId: string): Promise<Member>;
  /** Throws NOT_FOUND where nobody has that address, CONFLICT for a member. */
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
    async function named(rows: readonly Row[]): Promise<Member[]> {
      const people = await namePeople(
        directory,
        rows.map((row) => row.user_id),
      );
      return rows.map((row) => ({ ...row, ...people(row.user_id) }));
    }
    async function alone(row: Row): Promise<Member> {
      const [member] = await named([row]);
      return member as Member; // as many as were given
    }

    const changed = (type: string, { id, user_id }: Row, more: object = {}) => ({
      type,
      workspaceId: admission.workspaceId,
      data: { id, user_id, ...more },
    });

    /** One change of the members of a workspace at a time: the roles it looks at stay as they are until it ends. */
    const change = <T>(
      work: (sql: Sql, record: RecordEvents, owners: ReadonlySet<string>) => Promise<T>,
    ): Promise<T> =>
      events.change(async (sql, record) => {
        const id = admission.workspaceId;
        const workspace = (await sql('workspaces')
          .where({ id })
          .forUpdate() // SQLite's writer is alone anyway
          .first('id')) as unknown;
        if (!workspace) throw notFound('workspace', id, 'workspaces_list');
        const rows = await members(sql).where({ role: 'owner' });
        return work(sql, record, new Set(rows.map((row) => row.user_id)));
      });

    /** Reads the caller's role again: an owner at admission may have been demoted meanwhile. */
    function refuseUnlessOwner(owners: ReadonlySet<string>): void {
      const { caller } = admission;
      if (caller.kind === 'owner' || owners.has(caller.userId)) return;
      throw new ServiceError(
        'PERMISSION_DENIED',
        'Only an owner may make, change or remove an owner of this workspace. Ask one of them; members_list names them.',
        { details: { needed: 'owner' } },
      );
    }
    function refuseLast(owners: ReadonlySet<string>, userId: string): void {
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
        return { ...page, items: await named(page.items) };
      },
      get: async (userId) => alone(await find(database.sql, userId)),
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
          if (role === 'owner') refuseUnlessOwner(owners);
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
        return alone(row);
      },
      async changeRole(userId, role) {
        const updated = await change(async (sql, record, owners) => {
          const row = await find(sql, userId);
          if (row.role === 'owner' || role === 'owner') refuseUnlessOwner(owners);
          if (role !== 'owner') refuseLast(owners, userId);
          await sql('memberships').where({ id: row.id }).update({ role });
          if (row.role !== role) record(changed('member.updated', row, { role }));
          return { ...row, role };
        });
        return alone(updated);
      },
      async remove(userId) {
        return change(async (sql, record, owners) => {
          const row = await find(sql, userId);
          if (row.role === 'owner' && userId !== admission.caller.userId) refuseUnlessOwner(owners);
          refuseLast(owners, userId);
          await sql('memberships').where({ id: row.id }).delete();
          record(changed('member.removed', row));
          return row.id;
        });
      },
    };
  },
});
