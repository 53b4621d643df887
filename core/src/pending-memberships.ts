import type { Caller, Role } from './caller.js';
import type { RecordEvents } from './change-events.js';
import type { Sql } from './database.js';
import type { PageOf, PageRequest } from './paging.js';
import { token } from './token.js';

/** A membership that waits for the consent of its person, as that person sees it. */
export interface PendingMembership {
  /** Also the id of the membership, once it is accepted. */
  readonly id: string;
  readonly workspace: { readonly id: string; readonly name: string };
  readonly role: Role;
  /** E-mail address; empty for the operator, and where the account is unknown. */
  readonly invited_by: string;
  readonly created_at: string;
}

/** A membership as its workspace shows it. */
export interface AcceptedMembership {
  readonly id: string;
  readonly workspace_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly status: 'accepted';
  readonly created_at: string;
}

/**
 * Who answers for the invitations of a caller: the id of their account. Empty for the operator, whose right to invite
 * depends on no account, not even on that of the local owner, who has the same id.
 */
export function inviterOf({ kind, userId }: Caller): string {
  return kind === 'owner' ? '' : userId;
}

/**
 * Port, filled by the workspaces plugin: memberships that somebody else made for a person, by e-mail address. They give
 * no access until the person accepts; a confined credential neither sees nor decides any.
 */
export interface PendingMemberships {
  /** Those of the caller, newest first. */
  of(caller: Caller, request: PageRequest): Promise<PageOf<PendingMembership>>;
  /** Makes the caller a member. Throws NOT_FOUND. Repeated calls return the same. */
  accept(caller: Caller, id: string): Promise<AcceptedMembership>;
  /** Throws NOT_FOUND. */
  decline(caller: Caller, id: string): Promise<void>;
  /**
   * Stores one for an address in its canonical form (`normalEmail`), in a change of the caller's own; another role
   * replaces that of an earlier one. `userId`: of the account with this address, where there is one. `invitedBy`: see
   * {@link inviterOf}. It gives nothing after `expiresAt`. Throws CONFLICT for a member, NOT_FOUND and PERMISSION_DENIED
   * where that one may no longer invite with this role, and PERMISSION_DENIED where an admin would replace the offer to
   * become an owner.
   */
  invite(
    sql: Sql,
    record: RecordEvents,
    request: {
      readonly workspaceId: string;
      readonly email: string;
      readonly userId?: string | undefined;
      readonly role: Role;
      readonly invitedBy: string;
      readonly expiresAt: string;
    },
  ): Promise<void>;
  /**
   * Withdraws that of an address, where there is one. `by`: see {@link inviterOf}. Throws PERMISSION_DENIED where that is
   * an admin and it is to become an owner.
   */
  withdraw(
    sql: Sql,
    record: RecordEvents,
    request: { readonly workspaceId: string; readonly email: string; readonly by: string },
  ): Promise<void>;
}
export const PendingMemberships = token<PendingMemberships>('core.PendingMemberships');

/**
 * Port, filled by the plugin that sends invitations: keeps an invitation to a workspace in step with its membership,
 * which its person or an admin may decide without the token.
 */
export interface InvitationRecords {
  /** In the change of the membership. `ended`: declined by its person, or removed. */
  settle(
    sql: Sql,
    request: {
      readonly workspaceId: string;
      readonly email: string;
      readonly outcome: 'accepted' | 'ended';
    },
  ): Promise<void>;
  /** In the change of the membership: who changes the offered role answers for it from now on. */
  changeRole(
    sql: Sql,
    request: {
      readonly workspaceId: string;
      readonly email: string;
      readonly role: Role;
      readonly invitedBy: string;
    },
  ): Promise<void>;
}
export const InvitationRecords = token<InvitationRecords>('core.InvitationRecords');
