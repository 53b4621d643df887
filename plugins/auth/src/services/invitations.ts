import {
  Clock,
  Database,
  Memberships,
  ServiceError,
  invalidArgument,
  notFound,
  optional,
  provide,
  roleAtLeast,
  rowOwner,
  selectPage,
  token,
  uuidv7,
  type Caller,
  type PageOf,
  type Role,
  type RecordEvents,
  type Sql,
} from '@service-mcp/core';
import { config } from '../config.js';
import { findUser, normalEmail } from './account-store.js';
import { INVITATION_PREFIX, digestOf, newSecret } from './secrets.js';

export interface InvitationRecord {
  readonly id: string;
  readonly email: string;
  readonly workspace_id: string | null;
  readonly role: Role | null;
  readonly invited_by: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly accepted_at: string | null;
}

/** Invitations to make an account and, where a workspace is named, to be a member of it. */
export interface Invitations {
  /** An earlier one of the same address and workspace that waits is replaced. Throws CONFLICT on a known address. */
  create(request: {
    email: string;
    workspaceId: string | null;
    role: Role | null;
    invitedBy: string;
  }): Promise<{ readonly invitation: InvitationRecord; readonly token: string }>;
  /** Of one workspace, or of the whole deployment. */
  list(request: {
    workspaceId: string | undefined;
    page: number;
    per_page: number;
  }): Promise<PageOf<InvitationRecord>>;
  /** Throws NOT_FOUND where it is gone, CONFLICT where it was accepted. */
  revoke(id: string): Promise<void>;
  /** Throws INVALID_ARGUMENT where the token is no good for the address, or its maker could not make it any more. */
  check(invitationToken: string, email: string): Promise<void>;
  /** Spends the token for a new account and makes it a member, in the transaction of the account. */
  accept(
    sql: Sql,
    record: RecordEvents,
    invitationToken: string,
    user: { id: string; email: string },
  ): Promise<void>;
}
export const Invitations = token<Invitations>('auth.Invitations');

const COLUMNS = [
  'id',
  'email',
  'workspace_id',
  'role',
  'invited_by',
  'created_at',
  'expires_at',
  'accepted_at',
];
const LISTED_BY = 'auth_list_invitations';
const DAY_MS = 24 * 60 * 60 * 1000;

export const invitations = provide(Invitations, {
  uses: { database: Database, clock: Clock, settings: config.token, memberships: optional(Memberships) },
  create: ({ database, clock, settings, memberships }) => {
    const good = (sql: Sql, invitationToken: string, email: string) =>
      sql('invitations')
        .where({ digest: digestOf(invitationToken), email })
        .whereNull('accepted_at')
        .where('expires_at', '>', clock.now().toISOString());
    /** Who was removed or demoted must not come back by an invitation made before. */
    const mayStillInvite = async ({ workspace_id, role, invited_by }: InvitationRecord): Promise<boolean> => {
      const maker = await findUser(database.sql, { id: invited_by });
      if (!maker || maker.disabled_at !== null) return false;
      if (workspace_id === null || role === null) return maker.administrator === 1;
      const caller: Caller = { kind: 'session', userId: maker.id, name: maker.name, scopes: [] };
      const own = await memberships?.roleIn(caller, workspace_id);
      return own !== undefined && roleAtLeast(own, 'admin') && roleAtLeast(own, role);
    };
    return {
      async create({ email: given, workspaceId, role, invitedBy }) {
        const email = normalEmail(given);
        if (await findUser(database.sql, { email })) throw known(workspaceId);
        const now = clock.now();
        const secret = newSecret(INVITATION_PREFIX);
        const invitation: InvitationRecord = {
          id: uuidv7(),
          email,
          workspace_id: workspaceId,
          role,
          invited_by: invitedBy,
          created_at: now.toISOString(),
          expires_at: new Date(now.getTime() + settings.invitation_days * DAY_MS).toISOString(),
          accepted_at: null,
        };
        await database.transaction(async (sql) => {
          await sql('invitations')
            .where({ email, workspace_id: workspaceId })
            .whereNull('accepted_at')
            .delete();
          await sql('invitations').insert({ ...invitation, digest: digestOf(secret) });
        });
        return { invitation, token: secret };
      },
      list({ workspaceId, ...paging }) {
        const query = database.sql('invitations').select(COLUMNS).orderBy('id', 'desc');
        if (workspaceId !== undefined) query.where({ workspace_id: workspaceId });
        return selectPage<InvitationRecord, InvitationRecord>(query, paging, (row) => row);
      },
      async revoke(id) {
        const gone = await database.sql('invitations').where({ id }).whereNull('accepted_at').delete();
        if (gone > 0) return;
        if (!(await database.sql('invitations').where({ id }).first('id')))
          throw notFound('invitation', id, LISTED_BY);
        throw new ServiceError(
          'CONFLICT',
          'This invitation was accepted already. Remove the member with members_remove instead.',
        );
      },
      async check(invitationToken, email) {
        const row = (await good(database.sql, invitationToken, email).first(COLUMNS)) as
          | InvitationRecord
          | undefined;
        if (!row) throw noGood();
        if (!(await mayStillInvite(row))) throw lapsed();
      },
      async accept(sql, record, invitationToken, { id: userId, email }) {
        const accepted_at = clock.now().toISOString();
        const [row] = (await good(sql, invitationToken, email)
          .update({ accepted_at })
          .returning(['workspace_id', 'role'])) as Array<Pick<InvitationRecord, 'workspace_id' | 'role'>>;
        if (!row) throw noGood();
        const { workspace_id: workspaceId, role } = row;
        if (workspaceId !== null && role !== null)
          await memberships?.join(sql, record, { workspaceId, userId, role });
      },
    };
  },
});

/** An invitation is its workspace's, or the deployment's. */
export const invitationOwner = rowOwner({
  resource: 'invitation',
  table: 'invitations',
  listedBy: LISTED_BY,
});

function known(workspaceId: string | null): ServiceError {
  return new ServiceError(
    'CONFLICT',
    workspaceId === null
      ? 'There is an account with this address. Its owner can log in; nothing needs to be done.'
      : 'There is an account with this address. Make it a member with members_add.',
  );
}

function noGood(): ServiceError {
  return invalidArgument(
    '/invitation',
    'is unknown, spent, out of date or made out to another address: ask for a new one',
  );
}

function lapsed(): ServiceError {
  return invalidArgument(
    '/invitation',
    'is of somebody who may no longer invite, or to a workspace that is gone: ask for a new one',
  );
}
