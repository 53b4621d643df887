import { token, type Sql } from '@service-mcp/core';

/** A person's account, without its password. */
export interface Account {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly administrator: boolean;
  readonly disabled: boolean;
  readonly has_password: boolean;
  readonly created_at: string;
}

/** An account whose password was just verified or set. Required to start a session; the session starts only if the hash is unchanged. */
export interface ProvenAccount extends Account {
  readonly password_hash: string;
}

/** Who can register: anyone, people with an invitation, nobody. */
export type Registration = 'open' | 'invite' | 'closed';

export interface Accounts {
  byId(id: string): Promise<Account | undefined>;
  byEmail(email: string): Promise<Account | undefined>;
  /**
   * The account with this address and password. Throws UNAUTHENTICATED with the same message and timing for a wrong
   * address and a wrong password, and RATE_LIMITED after too many attempts (before hashing).
   */
  login(request: { email: string; password: string; peer: string }): Promise<ProvenAccount>;
  /**
   * Creates an account and, with an invitation, its membership. The first account (the local owner does not count) is
   * always allowed and becomes administrator. Throws CONFLICT when the address is taken, PERMISSION_DENIED when
   * registration is closed or needs an invitation, INVALID_ARGUMENT for an invitation that is unknown, used, expired
   * or for another address.
   */
  register(request: {
    email: string;
    password: string;
    name: string;
    invitation?: string;
    peer: string;
  }): Promise<ProvenAccount>;
  /** The rule for the next registration: `open` for the first account. */
  registration(): Promise<Registration>;
  /** Creates a token to set a password: it works once, for 24 hours, and replaces earlier ones. */
  createReset(sql: Sql, userId: string): Promise<string>;
  /** The account of a reset token, without consuming it; undefined when it is invalid. */
  forReset(resetToken: string): Promise<Account | undefined>;
  /**
   * Sets a new password with a reset token (which is consumed) or the current password, and ends every session, grant
   * and reset token of the account except session `keep`. Throws UNAUTHENTICATED, RATE_LIMITED.
   */
  setPassword(
    request: ({ resetToken: string } | { userId: string; currentPassword: string }) & {
      newPassword: string;
      peer: string;
      /** Id of the session to keep. */
      keep?: string;
    },
  ): Promise<ProvenAccount>;
}
export const Accounts = token<Accounts>('auth.Accounts');
