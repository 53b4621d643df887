import {
  Clock,
  Database,
  Deployment,
  ServiceError,
  notFound,
  provide,
  selectPage,
  token,
  type PageOf,
  type PageRequest,
} from '@service-mcp/core';
import type { Account, AccountWithLink } from '../schemas.js';
import { findUser, insertUser, normalEmail, toAccount, type UserRow } from './account-store.js';
import { createReset, passwordLink } from './reset-tokens.js';
import { revokeAccess } from './revoke-access.js';

/** Account management for the operator, by e-mail address. Every method throws NOT_FOUND for an address without an account. */
export interface AccountAdministration {
  /** Ordered by address. */
  list(paging: PageRequest): Promise<PageOf<Account>>;
  /** Creates an account without a password, and a link to set one. Throws CONFLICT when the address has an account. */
  create(request: { email: string; name: string; administrator: boolean }): Promise<AccountWithLink>;
  /** Creates a link to set a new password: it works once, for 24 hours. */
  reset(email: string): Promise<AccountWithLink>;
  /** Disabling ends all sessions and grants and blocks the keys; nothing else is deleted. */
  setDisabled(email: string, disabled: boolean): Promise<Account>;
  setAdministrator(email: string, administrator: boolean): Promise<Account>;
}
export const AccountAdministration = token<AccountAdministration>('auth.AccountAdministration');

export const accountAdministration = provide(AccountAdministration, {
  uses: { database: Database, clock: Clock, deployment: Deployment },
  create: ({ database, clock, deployment }) => {
    const get = async (email: string): Promise<UserRow> => {
      const row = await findUser(database.sql, { email: normalEmail(email) });
      if (!row) throw notFound('account', email, 'auth_list_accounts');
      return row;
    };
    const linkFor = async (userId: string) =>
      passwordLink(deployment, await database.transaction((sql) => createReset(sql, clock, userId)));
    return {
      list: (paging) =>
        selectPage<UserRow, Account>(database.sql('users').select('*').orderBy('email'), paging, toAccount),
      async create({ email, name, administrator }) {
        const created_at = clock.now().toISOString();
        const user = { email: normalEmail(email), name, administrator, password_hash: null, created_at };
        const row = await insertUser(database.sql, user);
        if (!row) {
          throw new ServiceError(
            'CONFLICT',
            'An account with this address already exists. Create a link for it with auth_reset_account.',
          );
        }
        return { account: toAccount(row), link: await linkFor(row.id) };
      },
      async reset(email) {
        const row = await get(email);
        if (row.disabled_at !== null)
          throw new ServiceError(
            'CONFLICT',
            'This account is disabled. Enable it with auth_enable_account first.',
          );
        return { account: toAccount(row), link: await linkFor(row.id) };
      },
      async setDisabled(email, disabled) {
        const row = await get(email);
        const disabled_at = disabled ? (row.disabled_at ?? clock.now().toISOString()) : null;
        await database.transaction(async (sql) => {
          await sql('users').where({ id: row.id }).update({ disabled_at });
          if (disabled) await revokeAccess(sql, row.id);
        });
        return toAccount({ ...row, disabled_at });
      },
      async setAdministrator(email, administrator) {
        const row = await get(email);
        const changed = { administrator: administrator ? 1 : 0 };
        await database.sql('users').where({ id: row.id }).update(changed);
        return toAccount({ ...row, ...changed });
      },
    };
  },
});
