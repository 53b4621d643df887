import {
  Clock,
  Database,
  Directory,
  Events,
  InvitationRecords,
  PendingMemberships,
  ServiceError,
  defineWorker,
  notFound,
  optional,
  provide,
  roleAtLeast,
  selectPage,
  uuidv7,
  type AcceptedMembership,
  type Caller,
  type PendingMembership,
  type RecordEvents,
  type Role,
  type Sql,
} from '@service-mcp/core';
import { requireRole } from './role-now.js';
import { lockWorkspace, requireWorkspace } from './workspace-lock.js';

/** A row of `pending_memberships`. */
export interface PendingRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly created_at: string;
  /** Null: it waits until it is decided. */
  readonly expires_at: string | null;
}

type MembershipRow = Pick<AcceptedMembership, (typeof COLUMNS)[number]>;
const COLUMNS = ['id', 'workspace_id', 'user_id', 'role', 'created_at'] as const;

type ListedRow = PendingRow & { readonly workspace_name: string };

const pending = (sql: Sql) => sql<PendingRow>('pending_memberships');

/** Those that have not expired; the worker deletes the others. */
const waiting = (sql: Sql, now: string) =>
  pending(sql).where((either) => void either.whereNull('expires_at').orWhere('expires_at', '>', now));

/** Deletes the rows of a query and returns them: of concurrent changes one gets them. */
async function take(rows: ReturnType<typeof pending>): Promise<PendingRow[]> {
  const taken: PendingRow[] = await rows.clone().forUpdate().select('*');
  if (taken.length > 0) await rows.delete();
  return taken;
}

/** Ends the memberships that wait for an address, or have an id, and returns them. */
export function takePending(sql: Sql, where: Partial<PendingRow>): Promise<PendingRow[]> {
  return take(pending(sql).where(where));
}

/** Memberships that wait for a person: kept apart from `memberships`, so that no query of those has to leave them out. */
export const pendingMemberships = provide(PendingMemberships, {
  uses: {
    database: Database,
    clock: Clock,
    events: Events,
    directory: optional(Directory),
    invitations: optional(InvitationRecords),
  },
  create: ({ database, clock, events, directory, invitations }) => {
    const now = () => clock.now().toISOString();
    /** Undefined for a caller without an account, and for a confined credential, which decides nothing outside. */
    async function emailOf(caller: Caller): Promise<string | undefined> {
      if (caller.workspaceId !== undefined) return undefined;
      return (await directory?.byIds([caller.userId]))?.get(caller.userId)?.email;
    }
    /** What a disabled account offered waits until it is enabled. Apart from the transaction: SQLite has one connection. */
    async function checkInviter(id: string, email: string | undefined): Promise<void> {
      const own =
        email !== undefined && (await pending(database.sql).where({ id, email }).first('invited_by'));
      if (!own) return;
      const inviters = await directory?.byIds([own.invited_by]);
      if (inviters?.get(own.invited_by)?.disabled) throw notPending(id);
    }
    /** Locks the workspace first: what a member changes of the offer, or its deletion, comes before or after. */
    const takeOwn = async (sql: Sql, id: string, email: string | undefined) => {
      const own = email === undefined ? undefined : await waiting(sql, now()).where({ id, email }).first();
      if (!own || !(await lockWorkspace(sql, own.workspace_id))) return undefined;
      return (await takePending(sql, { id, email: own.email }))[0];
    };
    const notPending = (id: string) => notFound('membership', id, 'members_list_invitations');
    return {
      async of(caller, request) {
        const email = await emailOf(caller);
        const query = waiting(database.sql, now())
          .join('workspaces', 'workspaces.id', 'pending_memberships.workspace_id')
          .where({ email: email ?? '' })
          .select('pending_memberships.*', { workspace_name: 'workspaces.name' })
          .orderBy('pending_memberships.id', 'desc');
        const page = await selectPage<ListedRow, ListedRow>(query, request, (row) => row);
        const inviters = await directory?.byIds([...new Set(page.items.map((row) => row.invited_by))]);
        const item = ({ id, role, created_at, ...row }: ListedRow): PendingMembership => ({
          id,
          workspace: { id: row.workspace_id, name: row.workspace_name },
          role,
          invited_by: inviters?.get(row.invited_by)?.email ?? '',
          created_at,
        });
        return { ...page, items: page.items.map(item) };
      },
      async accept(caller, id) {
        const email = await emailOf(caller);
        const { userId: user_id } = caller;
        const membership = async (sql: Sql, where: object): Promise<MembershipRow | undefined> =>
          sql('memberships')
            .where({ ...where, user_id })
            .first(COLUMNS);
        await checkInviter(id, email);
        const accepted = await events.change(async (sql, record) => {
          const own = await takeOwn(sql, id, email);
          if (own) await invitations?.settle(sql, invitationOf(own, 'accepted'));
          const known = await membership(sql, own ? { workspace_id: own.workspace_id } : { id });
          if (known) return known;
          if (!own) throw notPending(id);
          const { workspace_id, role, created_at } = own;
          const row = { id, workspace_id, user_id, role, created_at };
          await sql('memberships').insert(row);
          record({ type: 'member.added', workspaceId: workspace_id, data: { id, user_id, role } });
          return row;
        });
        return { ...accepted, email: email ?? '', name: caller.name, status: 'accepted' };
      },
      async decline(caller, id) {
        const email = await emailOf(caller);
        await events.change(async (sql, record) => {
          const own = await takeOwn(sql, id, email);
          if (!own) throw notPending(id);
          await invitations?.settle(sql, invitationOf(own, 'ended'));
          withdrawn(record, own);
        });
      },
      async invite(sql, record, request) {
        const id = request.workspaceId;
        await requireWorkspace(sql, id); // as MemberRepository: one change of its members at a time
        const needed = request.role === 'owner' ? 'owner' : 'admin';
        await requireRole(sql, { workspaceId: id, by: request.invitedBy, needed });
        await requireOwnerOf(
          sql,
          await pending(sql).where({ workspace_id: id, email: request.email }),
          request.invitedBy,
        );
        await insertPending(sql, record, {
          ...request,
          createdAt: now(),
          replaces: true,
        });
      },
      async withdraw(sql, record, { workspaceId: workspace_id, email, by }) {
        await requireOwnerOf(sql, await pending(sql).where({ workspace_id, email }), by);
        for (const row of await takePending(sql, { workspace_id, email })) withdrawn(record, row);
      },
    };
  },
});

/** Throws PERMISSION_DENIED where a member who is not an owner changes what an owner offered: ownership. */
async function requireOwnerOf(sql: Sql, offers: readonly PendingRow[], user_id: string): Promise<void> {
  for (const { workspace_id } of offers.filter(({ role }) => role === 'owner')) {
    const own: { role: Role } | undefined = await sql('memberships')
      .where({ workspace_id, user_id })
      .first('role');
    if (own && own.role !== 'owner') throw ownerNeeded();
  }
}

export function ownerNeeded(): ServiceError {
  return new ServiceError(
    'PERMISSION_DENIED',
    'Only an owner may make, change or remove an owner of this workspace. Ask one of them; members_list names them.',
    { details: { needed: 'owner' } },
  );
}

function invitationOf({ workspace_id: workspaceId, email }: PendingRow, outcome: 'accepted' | 'ended') {
  return { workspaceId, email, outcome };
}

/**
 * Stores a membership that waits for the person with this address, with an account or without. Throws CONFLICT for a
 * member, and, unless it `replaces`, for a person who was invited already.
 */
export async function insertPending(
  sql: Sql,
  record: RecordEvents,
  request: Omit<Parameters<PendingMemberships['invite']>[2], 'expiresAt'> & {
    readonly expiresAt?: string;
    readonly createdAt: string;
    readonly replaces: boolean;
  },
): Promise<PendingRow> {
  const { workspaceId: workspace_id, userId: user_id, email, role } = request;
  await endExpired(sql, record, request.createdAt, { workspace_id, email });
  const member: { role: Role } | undefined =
    user_id === undefined
      ? undefined
      : await sql('memberships').where({ workspace_id, user_id }).first('role');
  const known = await pending(sql).where({ workspace_id, email }).first();
  const conflict = member ?? (request.replaces ? undefined : known);
  if (conflict) {
    throw new ServiceError(
      'CONFLICT',
      `${email} is ${conflict.role} of this workspace already${member ? '' : ', or will be on accepting'}. Change the role with members_update.`,
      { details: { role: conflict.role } },
    );
  }
  const row: PendingRow = {
    id: known?.id ?? uuidv7(),
    workspace_id,
    email,
    role,
    invited_by: request.invitedBy,
    created_at: known?.created_at ?? request.createdAt,
    expires_at: request.expiresAt ?? null,
  };
  await pending(sql)
    .insert(row)
    .onConflict(['workspace_id', 'email'])
    .merge(['role', 'invited_by', 'expires_at']);
  record({ type: 'member.invited', workspaceId: workspace_id, data: { id: row.id, role } });
  return row;
}

/** Withdraws what a member invited and may invite no longer, whose role is now `role`; undefined: who left. */
export async function withdrawUnentitled(
  sql: Sql,
  record: RecordEvents,
  invitations: InvitationRecords | undefined,
  {
    workspaceId: workspace_id,
    userId: invited_by,
    role,
  }: { workspaceId: string; userId: string; role?: Role },
): Promise<void> {
  if (role === 'owner') return;
  const rows = pending(sql).where({ workspace_id, invited_by });
  if (role !== undefined && roleAtLeast(role, 'admin')) rows.where({ role: 'owner' });
  for (const row of await take(rows)) {
    await invitations?.settle(sql, invitationOf(row, 'ended'));
    withdrawn(record, row);
  }
}

async function endExpired(
  sql: Sql,
  record: RecordEvents,
  now: string,
  where: Partial<PendingRow> = {},
): Promise<void> {
  const expired = pending(sql).where(where).where('expires_at', '<=', now);
  for (const row of await take(expired)) withdrawn(record, row);
}

/** Withdraws what expired. */
export const pendingExpiry = defineWorker({
  id: 'workspaces.pending-expiry',
  uses: { clock: Clock, events: Events },
  everyMs: 60 * 60 * 1000,
  exclusive: true,
  async run({ clock, events }) {
    await events.change((sql, record) => endExpired(sql, record, clock.now().toISOString()));
    return { more: false };
  },
});

export function withdrawn(
  record: RecordEvents,
  { id, workspace_id }: Pick<PendingRow, 'id' | 'workspace_id'>,
): void {
  record({ type: 'member.uninvited', workspaceId: workspace_id, data: { id } });
}
