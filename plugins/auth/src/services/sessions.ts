import { token, type Headers } from '@service-mcp/core';
import type { Context } from 'koa';
import type { Account } from './accounts.js';

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
  /** Begins a session of a program. */
  begin(userId: string): Promise<LoginTokens>;
  /**
   * A new pair for a refresh token, which is spent: of several at the same time exactly one wins. Throws
   * UNAUTHENTICATED; a spent token that comes again ends the whole session.
   */
  refresh(refreshToken: string): Promise<LoginTokens>;
  /** Ends a session by its id, or by a token of it. Says whether there was one. */
  end(by: { sessionId: string } | { refreshToken: string }): Promise<boolean>;
  /** Ends every session of a user but `keep`. */
  endAll(userId: string, keep?: string): Promise<void>;

  /** Begins a session of a browser: a new cookie (`__Host-` on https, HttpOnly, SameSite=Lax); the one it had before ends. */
  beginCookie(ctx: Context, userId: string): Promise<void>;
  /** The account whose cookie a browser sent, with the id of the session. */
  ofCookie(headers: Headers): Promise<{ readonly account: Account; readonly sessionId: string } | undefined>;
  /** Ends the browser's session and takes its cookie away. */
  endCookie(ctx: Context): Promise<void>;
}
export const Sessions = token<Sessions>('auth.Sessions');
