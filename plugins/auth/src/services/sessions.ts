import { token } from '@service-mcp/core';
import type { Account, ProvenAccount } from './accounts.js';

/** What a login gives a program. Opaque; only SHA-256 digests are stored. */
export interface LoginTokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  /** Seconds until the access token ends. */
  readonly expires_in: number;
}

/** Logins: by tokens for programs, by cookie for the pages of a browser. One session is one family of tokens, or one cookie. */
export interface Sessions {
  /** Begins a session of a program. Throws UNAUTHENTICATED where the password was changed since, or the account disabled. */
  begin(account: ProvenAccount): Promise<{ readonly sessionId: string; readonly tokens: LoginTokens }>;
  /**
   * A new pair for a refresh token, which is spent: of several at the same time exactly one wins. Throws
   * UNAUTHENTICATED; a spent token that comes again ends the whole session.
   */
  refresh(refreshToken: string): Promise<{
    readonly sessionId: string;
    readonly user: Pick<Account, 'id' | 'name'>;
    readonly tokens: LoginTokens;
  }>;
  /** Ends a session by its id, or by a token of it. Says whether there was one. */
  end(by: { sessionId: string } | { refreshToken: string }): Promise<boolean>;

  /** Begins a session of a browser, with the value of its cookie. Throws as `begin` does. */
  beginBrowser(account: ProvenAccount): Promise<{ readonly sessionId: string; readonly cookie: string }>;
  /** Whose browser session a cookie's value stands for; undefined where it ended or never was. */
  ofBrowser(cookie: string): Promise<{ readonly account: Account; readonly sessionId: string } | undefined>;
}
export const Sessions = token<Sessions>('auth.Sessions');
