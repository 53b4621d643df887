import {
  Clock,
  Database,
  Deployment,
  Events,
  InvitationRecords,
  Memberships,
  PendingMemberships,
  ServiceError,
  invalidArgument,
  normalEmail,
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
  type PageRequest,
  type RecordEvents,
  type Sql,
} from '@service-mcp/core';
import { DAY_MS, config } from '../config.js';
import { Invitation, type NewInvitation } from '../schemas.js';
import { findUser } from './account-store.js';
import { INVITATION_PREFIX, digestOf, newSecret } from './secrets.js';

/**
 * Invitations to register and, when a workspace is named, to join it. That one is a pending membership too, which a
 * person with an account accepts instead of registering: an answer does not tell which addresses have accounts.
 */
export interface Invitations {
  /**
   * Replaces a pending invitation for the same address and workspace. Throws CONFLICT for a member of the workspace,
   * and to the deployment for an address with an account.
   */
  create(request: Pick<Invitation, 'email' | 'workspace_id' | 'role' | 'invited_by'>): Promise<NewInvitation>;
  /** Invitations to one workspace, or all of the deployment. */
  list(request: PageRequest & { workspace_id?: string }): Promise<PageOf<Invitation>>;
  /**
   * Throws NOT_FOUND, CONFLICT when it was accepted, and PERMISSION_DENIED where `by` (see `inviterOf`) is an admin and it
   * is to become an owner.
   */
  revoke(id: string, by: string): Promise<void>;
  /**
   * Throws INVALID_ARGUMENT when the token is invalid, or invalid for the address where one is given, or the inviter
   * could no longer create it.
   */
  check(invitationToken: string, email?: string): Promise<void>;
  /** Consumes the token for a new account and adds its membership, in the transaction of the account. */
  accept(
    sql: Sql,
    record: RecordEvents,
    invitationToken: string,
    user: { id: string; email: string },
  ): Promise<void>;
}
export const Invitations = token<Invitations>('auth.Invitations');

/** A row of `invitations`. */
interface InvitationRow extends Invitation {
  readonly digest: string;
}

const LISTED_BY = 'auth_list_invitations';

export const invitations = provide(Invitations, {
  uses: {
    database: Database,
    clock: Clock,
    deployment: Deployment,
    events: Events,
    settings: config.token,
    memberships: optional(Memberships),
    pendingMemberships: optional(PendingMemberships),
  },
  create: ({ database, clock, deployment, events, settings, memberships, pendingMemberships }) => {
    const pending = (sql: Sql, invitationToken: string, email?: string) =>
      sql<InvitationRow>('invitations')
        .where({ digest: digestOf(invitationToken), ...(email !== undefined && { email }) })
        .whereNull('accepted_at')
        .where('expires_at', '>', clock.now().toISOString());
    /** A removed or demoted inviter's invitations are no longer valid. */
    const mayInvite = async ({ workspace_id, role, invited_by }: Invitation): Promise<boolean> => {
      if (invited_by === '') return true; // the operator, who owns every workspace: see inviterOf
      const inviter = await findUser(database.sql, { id: invited_by });
      if (!inviter || inviter.disabled_at !== null) return false;
      if (workspace_id === null || role === null) return inviter.administrator === 1;
      const caller: Caller = { kind: 'session', userId: inviter.id, name: inviter.name, scopes: [] };
      const own = await memberships?.roleIn(caller, workspace_id);
      return own !== undefined && roleAtLeast(own, 'admin') && roleAtLeast(own, role);
    };
    return {
      async create({ workspace_id, ...request }) {
        const email = normalEmail(request.email);
        const userId = (await findUser(database.sql, { email }))?.id;
        if (userId !== undefined && workspace_id === null) throw emailTaken();
        const now = clock.now();
        const secret = newSecret(INVITATION_PREFIX);
        const invitation: Invitation = {
          ...request,
          id: uuidv7(),
          email,
          workspace_id,
          created_at: now.toISOString(),
          expires_at: new Date(now.getTime() + settings.invitation_days * DAY_MS).toISOString(),
          accepted_at: null,
        };
        await events.change(async (sql, record) => {
          if (workspace_id !== null && request.role !== null) {
            const { role, invited_by: invitedBy } = request;
            const membership = { workspaceId: workspace_id, email, userId, role, invitedBy };
            const { expires_at: expiresAt } = invitation;
            await pendingMemberships?.invite(sql, record, { ...membership, expiresAt });
          }
          await sql('invitations').where({ email, workspace_id }).whereNull('accepted_at').delete();
          await sql('invitations').insert({ ...invitation, digest: digestOf(secret) });
        });
        const link = `${deployment.origins().web}/oauth/register?invitation=${secret}`;
        return { ...invitation, token: secret, link };
      },
      list({ page, per_page, ...equal }) {
        const columns = Object.keys(Invitation.properties); // the digest stays in the database
        const query = database.sql('invitations').where(equal).select(columns).orderBy('id', 'desc');
        return selectPage<Invitation, Invitation>(query, { page, per_page }, (row) => row);
      },
      async revoke(id, by) {
        const isRevoked = await events.change(async (sql, record) => {
          const unused = sql<InvitationRow>('invitations').where({ id }).whereNull('accepted_at');
          const row = await unused.clone().forUpdate().first('workspace_id', 'email');
          await unused.delete();
          if (row && row.workspace_id !== null) {
            const { workspace_id: workspaceId, email } = row;
            await pendingMemberships?.withdraw(sql, record, { workspaceId, email, by });
          }
          return row !== undefined;
        });
        if (isRevoked) return;
        if (!(await database.sql('invitations').where({ id }).first('id')))
          throw notFound('invitation', id, LISTED_BY);
        throw new ServiceError(
          'CONFLICT',
          'This invitation was already accepted. Remove the member with members_remove instead.',
        );
      },
      async check(invitationToken, email) {
        const row = await pending(database.sql, invitationToken, email).first();
        if (!row) throw invalidInvitation();
        if (!(await mayInvite(row))) throw inviterLostAccess();
      },
      async accept(sql, record, invitationToken, { id: userId, email }) {
        const accepted_at = clock.now().toISOString();
        const [row] = await pending(sql, invitationToken, email)
          .update({ accepted_at })
          .returning(['workspace_id', 'role']);
        if (!row) throw invalidInvitation();
        const { workspace_id: workspaceId, role } = row;
        if (workspaceId === null || role === null) return;
        const joined = await memberships?.join(sql, record, { workspaceId, userId, role, email });
        if (joined === false) throw invalidInvitation();
      },
    };
  },
});

export const invitationRecords = provide(InvitationRecords, {
  uses: { clock: Clock },
  create: ({ clock }) => {
    const open = (sql: Sql, workspace_id: string, email: string) =>
      sql<InvitationRow>('invitations').where({ workspace_id, email }).whereNull('accepted_at');
    return {
      async settle(sql, { workspaceId, email, outcome }) {
        const rows = open(sql, workspaceId, email);
        if (outcome === 'ended') await rows.delete();
        else await rows.update({ accepted_at: clock.now().toISOString() });
      },
      async changeRole(sql, { workspaceId, email, role, invitedBy: invited_by }) {
        await open(sql, workspaceId, email).update({ role, invited_by });
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

function emailTaken(): ServiceError {
  return new ServiceError(
    'CONFLICT',
    'An account with this address already exists. Its owner can log in without an invitation.',
  );
}

function invalidInvitation(): ServiceError {
  return invalidArgument(
    '/invitation',
    'is unknown, used, expired or for another address: ask for a new one',
  );
}

function inviterLostAccess(): ServiceError {
  return invalidArgument(
    '/invitation',
    'was created by somebody who can no longer invite, or for a deleted workspace: ask for a new one',
  );
}
