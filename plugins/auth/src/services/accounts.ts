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

/** An account whose password was just shown or set. A session begins by it alone, and only while the password is that. */
export interface ProvenAccount extends Account {
  readonly password_hash: string;
}

/** Who may make an account: anyone, who was invited, nobody. */
export type Registration = 'open' | 'invite' | 'closed';

export interface Accounts {
  byId(id: string): Promise<Account | undefined>;
  byEmail(email: string): Promise<Account | undefined>;
  /**
   * The account with that address and password. Throws UNAUTHENTICATED in the same words and time whether address or
   * password is wrong, and RATE_LIMITED after too many tries from a peer or on an address (before any hash is made).
   */
  login(request: { email: string; password: string; peer: string }): Promise<ProvenAccount>;
  /**
   * Makes an account and, with an invitation, its membership. The first of an empty deployment (the local owner does
   * not count) is always allowed and becomes its administrator. Throws CONFLICT on a known address, PERMISSION_DENIED
   * where registration wants an invitation or is closed, INVALID_ARGUMENT for an invitation that is unknown, spent,
   * out of date or made out to another address.
   */
  register(request: {
    email: string;
    password: string;
    name: string;
    invitation?: string;
    peer: string;
  }): Promise<ProvenAccount>;
  /** What the next registration needs, the rule of the first account counted in. */
  registration(): Promise<Registration>;
  /** Makes a token to set a password with: good once, for 24 hours; earlier ones end. Returns it. */
  createReset(sql: Sql, userId: string): Promise<string>;
  /** Whom a reset token is for, without spending it; undefined where it is no good. */
  forReset(resetToken: string): Promise<Account | undefined>;
  /**
   * Sets a new password by a reset token (spent with it) or the current password, and ends every session, grant and
   * reset token of the account but `keep`. Throws UNAUTHENTICATED, RATE_LIMITED.
   */
  setPassword(
    request: ({ resetToken: string } | { userId: string; currentPassword: string }) & {
      newPassword: string;
      peer: string;
      /** Id of the session that stays. */
      keep?: string;
    },
  ): Promise<ProvenAccount>;
}
export const Accounts = token<Accounts>('auth.Accounts');
