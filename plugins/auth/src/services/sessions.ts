import { token } from '@service-mcp/core';
import type { Account, ProvenAccount } from './accounts.js';

/** Tokens of a login. Opaque; only SHA-256 digests are stored. */
export interface LoginTokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  /** Seconds until the access token expires. */
  readonly expires_in: number;
}

/** Logins: tokens for programs, a cookie for browsers. One session is one token family, or one cookie. */
export interface Sessions {
  /** Starts a token session. Throws UNAUTHENTICATED when the password was changed or the account disabled since. */
  begin(account: ProvenAccount): Promise<{ readonly sessionId: string; readonly tokens: LoginTokens }>;
  /**
   * Consumes a refresh token and returns a new pair; of several concurrent calls exactly one succeeds. Throws
   * UNAUTHENTICATED; reuse of a consumed token ends the session.
   */
  refresh(refreshToken: string): Promise<{
    readonly sessionId: string;
    readonly user: Pick<Account, 'id' | 'name'>;
    readonly tokens: LoginTokens;
  }>;
  /** Ends a session by its id or one of its tokens. False when there is none. */
  end(by: { sessionId: string } | { refreshToken: string }): Promise<boolean>;

  /** Starts a browser session and returns the value of its cookie. Throws like `begin`. */
  beginBrowser(account: ProvenAccount): Promise<{ readonly sessionId: string; readonly cookie: string }>;
  /** The browser session of a cookie value; undefined when it is unknown or expired. */
  ofBrowser(cookie: string): Promise<{ readonly account: Account; readonly sessionId: string } | undefined>;
}
export const Sessions = token<Sessions>('auth.Sessions');
