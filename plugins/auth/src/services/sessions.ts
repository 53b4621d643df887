import {
  Clock,
  Database,
  ServiceError,
  provide,
  token,
  uuidv7,
  type Caller,
  type Sql,
} from '@service-mcp/core';
import { DAY_MS, config } from '../config.js';
import { isOutage } from '../oauth/answer-outage.js';
import type { Account, Tokens } from '../schemas.js';
import { toAccount, type ProvenAccount, type UserRow } from './account-store.js';
import { CredentialUsage } from './credential-usage.js';
import { ACCESS_PREFIX, COOKIE_PREFIX, REFRESH_PREFIX, digestOf, newSecret } from './secrets.js';

/** Logins: tokens for programs, a cookie for browsers. One session is one token family, or one cookie. */
export interface Sessions {
  /** Starts a token session of a program. Throws UNAUTHENTICATED when the password was changed or the account disabled since. */
  begin(account: ProvenAccount): Promise<{ readonly sessionId: string; readonly tokens: Tokens }>;
  /**
   * Consumes a refresh token and returns a new pair; of several concurrent calls exactly one succeeds. Throws
   * UNAUTHENTICATED; reuse of a consumed token ends the session.
   */
  refresh(refreshToken: string): Promise<{
    readonly sessionId: string;
    readonly user: Pick<Account, 'id' | 'name'>;
    readonly tokens: Tokens;
  }>;
  /** Ends a session by its id or one of its tokens. False when there is none. */
  end(by: { sessionId: string } | { refreshToken: string }): Promise<boolean>;

  /** Whether a session has not ended. Waits for a change of the password or the account that is ending it. */
  isOpen(sessionId: string): Promise<boolean>;

  /** Starts a browser session and returns the value of its cookie. `name`: of the browser. Throws like `begin`. */
  beginBrowser(
    account: ProvenAccount,
    name: string,
  ): Promise<{ readonly sessionId: string; readonly cookie: string }>;
  /** The browser session of a cookie value; undefined when it is unknown or expired. */
  ofBrowser(cookie: string): Promise<{ readonly account: Account; readonly sessionId: string } | undefined>;
}
export const Sessions = token<Sessions>('auth.Sessions');

interface RefreshRow extends Pick<UserRow, 'id' | 'name' | 'disabled_at'> {
  readonly session_id: string;
  readonly consumed_at: string | null;
}

interface BrowserRow extends UserRow {
  readonly session_id: string;
  readonly ends_at: string;
  readonly last_used_at: string | null;
}

export const sessions = provide(Sessions, {
  uses: { database: Database, clock: Clock, settings: config.token, usage: CredentialUsage },
  create: ({ database, clock, settings, usage }) => {
    const browserMs = settings.browser_session_days * DAY_MS;
    /** A session in use is extended at most once in this time, so that few requests write. */
    const extensionMs = Math.min(DAY_MS, browserMs / 10);
    const inMs = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
    const now = () => inMs(0);

    async function issue(sql: Sql, session_id: string): Promise<Tokens> {
      const [access_token, refresh_token] = [newSecret(ACCESS_PREFIX), newSecret(REFRESH_PREFIX)];
      const expires_in = settings.access_token_minutes * 60;
      const refreshMs = settings.refresh_token_days * DAY_MS;
      await sql('session_tokens').insert([
        { digest: digestOf(access_token), session_id, kind: 'access', expires_at: inMs(expires_in * 1000) },
        { digest: digestOf(refresh_token), session_id, kind: 'refresh', expires_at: inMs(refreshMs) },
      ]);
      const session = sql('sessions').where({ id: session_id });
      await session.update({ expires_at: inMs(refreshMs) });
      return { access_token, refresh_token, token_type: 'Bearer', expires_in };
    }

    /**
     * Inserts a session if the password is still the one that was verified. The row lock serializes it with password
     * changes: an earlier change is seen here, a later one ends the session.
     */
    async function insert(
      sql: Sql,
      account: ProvenAccount,
      session: { readonly name: string; readonly cookie_digest: string | null },
      ms: number,
    ) {
      const { id: user_id, password_hash } = account;
      const isSame = await sql('users')
        .where({ id: user_id, password_hash })
        .whereNull('disabled_at')
        .forShare()
        .first('id');
      if (!isSame)
        throw new ServiceError(
          'UNAUTHENTICATED',
          'The password was changed, or the account disabled, during the login. Log in with the new password.',
        );
      const row = { id: uuidv7(), user_id, ...session, created_at: now(), expires_at: inMs(ms) };
      await sql('sessions').insert(row);
      return row.id;
    }

    /** A new token pair; undefined for an invalid token. Ending a replayed session is committed. */
    function rotate(refreshToken: string) {
      const token = { digest: digestOf(refreshToken), kind: 'refresh' };
      return database.transaction(async (sql) => {
        const won = await sql('session_tokens')
          .where(token)
          .whereNull('consumed_at')
          .where('expires_at', '>', now())
          .update({ consumed_at: now() });
        const row: RefreshRow | undefined = await sql('session_tokens as t')
          .join('sessions as s', 's.id', 't.session_id')
          .join('users as u', 'u.id', 's.user_id')
          .where({ 't.digest': token.digest, 't.kind': token.kind })
          .first('t.session_id', 't.consumed_at', 'u.id', 'u.name', 'u.disabled_at');
        if (!row) return undefined;
        const replayed = won === 0 && row.consumed_at !== null;
        if (replayed || row.disabled_at !== null) {
          await sql('sessions').where({ id: row.session_id }).delete();
          return undefined;
        }
        if (won === 0) return undefined;
        await sql('session_tokens').where({ session_id: row.session_id, kind: 'access' }).delete();
        const { session_id: sessionId, id, name } = row;
        return { sessionId, user: { id, name }, tokens: await issue(sql, sessionId) };
      });
    }

    /**
     * Use extends the session of a browser. A database that takes no writes must not end reads: a later request tries
     * again, and the log has the outage once.
     */
    async function extend(id: string): Promise<void> {
      const session = database.sql('sessions').where({ id });
      await session.update({ expires_at: inMs(browserMs) }).catch((err: unknown) => {
        if (!isOutage(err)) throw err;
      });
    }

    return {
      begin: (account) =>
        database.transaction(async (sql) => {
          const sessionId = await insert(sql, account, { name: 'Program', cookie_digest: null }, DAY_MS);
          return { sessionId, tokens: await issue(sql, sessionId) };
        }),
      async refresh(refreshToken) {
        const renewed = refreshToken.startsWith(REFRESH_PREFIX) ? await rotate(refreshToken) : undefined;
        if (renewed) return renewed;
        throw new ServiceError(
          'UNAUTHENTICATED',
          'The refresh token is unknown, used or expired, or its login has ended. Log in again.',
        );
      },
      async end(by) {
        const { sql } = database;
        const ended =
          'sessionId' in by
            ? sql('sessions').where({ id: by.sessionId })
            : sql('sessions').where({
                id: sql('session_tokens')
                  .where({ digest: digestOf(by.refreshToken), kind: 'refresh' })
                  .select('session_id'),
              });
        return (await ended.delete()) > 0;
      },
      async isOpen(id) {
        const row = await database.transaction((sql) => sql('sessions').where({ id }).forShare().first('id'));
        return row !== undefined;
      },
      async beginBrowser(account, name) {
        const cookie = newSecret(COOKIE_PREFIX);
        const sessionId = await database.transaction((sql) =>
          insert(sql, account, { name, cookie_digest: digestOf(cookie) }, browserMs),
        );
        return { sessionId, cookie };
      },
      async ofBrowser(cookie) {
        if (!cookie.startsWith(COOKIE_PREFIX)) return undefined;
        const row: BrowserRow | undefined = await database
          .sql('sessions as s')
          .join('users as u', 'u.id', 's.user_id')
          .where('s.cookie_digest', digestOf(cookie))
          .where('s.expires_at', '>', now())
          .whereNull('u.disabled_at')
          .first('u.*', { session_id: 's.id', ends_at: 's.expires_at', last_used_at: 's.last_used_at' });
        if (!row) return undefined;
        usage.record('sessions', row.session_id, row.last_used_at);
        if (row.ends_at < inMs(browserMs - extensionMs)) await extend(row.session_id);
        return { account: toAccount(row), sessionId: row.session_id };
      },
    };
  },
});

/** The caller of a session, for the audit log. */
export function sessionCaller({ id, name }: Pick<Account, 'id' | 'name'>, credentialId?: string): Caller {
  return {
    kind: 'session',
    userId: id,
    name,
    scopes: ['*'],
    ...(credentialId !== undefined && { credentialId }),
  };
}
