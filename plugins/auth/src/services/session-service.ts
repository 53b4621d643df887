import { Clock, Database, ServiceError, provide, uuidv7, type Sql } from '@service-mcp/core';
import { config } from '../config.js';
import { toAccount, type UserRow } from './account-store.js';
import { ACCESS_PREFIX, COOKIE_PREFIX, REFRESH_PREFIX, digestOf, newSecret } from './secrets.js';
import type { ProvenAccount } from './accounts.js';
import { Sessions, type LoginTokens } from './sessions.js';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface RefreshRow {
  readonly session_id: string;
  readonly consumed_at: string | null;
  readonly id: string;
  readonly name: string;
  readonly disabled_at: string | null;
}

export const sessions = provide(Sessions, {
  uses: { database: Database, clock: Clock, settings: config.token },
  create: ({ database, clock, settings }) => {
    const browserMs = settings.browser_session_days * DAY_MS;
    const inMs = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
    const now = () => inMs(0);

    async function issue(sql: Sql, session_id: string): Promise<LoginTokens> {
      const [access, refresh] = [newSecret(ACCESS_PREFIX), newSecret(REFRESH_PREFIX)];
      const accessMs = settings.access_token_minutes * MINUTE_MS;
      const refreshMs = settings.refresh_token_days * DAY_MS;
      const row = (token: string, kind: string, ms: number) => ({
        digest: digestOf(token),
        session_id,
        kind,
        expires_at: inMs(ms),
        consumed_at: null,
      });
      await sql('session_tokens').insert([
        row(access, 'access', accessMs),
        row(refresh, 'refresh', refreshMs),
      ]);
      await sql('sessions')
        .where({ id: session_id })
        .update({ expires_at: inMs(refreshMs) });
      return {
        access_token: access,
        refresh_token: refresh,
        token_type: 'Bearer',
        expires_in: accessMs / 1000,
      };
    }

    /**
     * Inserts a session if the password is still the one that was verified. The row lock serializes it with password
     * changes: an earlier change is seen here, a later one ends the session.
     */
    async function insert(sql: Sql, account: ProvenAccount, cookie_digest: string | null, ms: number) {
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
      const row = { id: uuidv7(), user_id, cookie_digest, created_at: now(), expires_at: inMs(ms) };
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
        const row = (await sql('session_tokens as t')
          .join('sessions as s', 's.id', 't.session_id')
          .join('users as u', 'u.id', 's.user_id')
          .where({ 't.digest': token.digest, 't.kind': token.kind })
          .first('t.session_id', 't.consumed_at', 'u.id', 'u.name', 'u.disabled_at')) as
          | RefreshRow
          | undefined;
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

    return {
      begin: (account) =>
        database.transaction(async (sql) => {
          const sessionId = await insert(sql, account, null, DAY_MS);
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
      async beginBrowser(account) {
        const cookie = newSecret(COOKIE_PREFIX);
        const sessionId = await database.transaction((sql) =>
          insert(sql, account, digestOf(cookie), browserMs),
        );
        return { sessionId, cookie };
      },
      async ofBrowser(cookie) {
        if (!cookie.startsWith(COOKIE_PREFIX)) return undefined;
        const row = (await database
          .sql('sessions as s')
          .join('users as u', 'u.id', 's.user_id')
          .where('s.cookie_digest', digestOf(cookie))
          .where('s.expires_at', '>', now())
          .whereNull('u.disabled_at')
          .first('u.*', { session_id: 's.id', ends_at: 's.expires_at' })) as
          | (UserRow & { readonly session_id: string; readonly ends_at: string })
          | undefined;
        if (!row) return undefined;
        // Use extends the session, at most once a day.
        if (row.ends_at < inMs(browserMs - DAY_MS)) {
          await database
            .sql('sessions')
            .where({ id: row.session_id })
            .update({ expires_at: inMs(browserMs) });
        }
        return { account: toAccount(row), sessionId: row.session_id };
      },
    };
  },
});
