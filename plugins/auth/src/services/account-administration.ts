import {
  Clock,
  Database,
  Deployment,
  ServiceError,
  normalEmail,
  notFound,
  provide,
  selectPage,
  whereContains,
  token,
  type PageOf,
  type PageRequest,
  type Sql,
} from '@service-mcp/core';
import type { Account, AccountWithLink } from '../schemas.js';
import { findUser, insertUser, toAccount, type UserRow } from './account-store.js';
import { createReset, passwordLink } from './reset-tokens.js';
import { revokeAccess } from './revoke-access.js';

/** Account management for the operator and administrators. Methods throw NOT_FOUND where there is no such account. */
export interface AccountAdministration {
  /** Ordered by address. `query`: a part of the address or the name, in any case. */
  list(request: PageRequest & { readonly query?: string }): Promise<PageOf<Account>>;
  /** Creates an account without a password, and a link to set one. Throws CONFLICT when the address has an account. */
  create(request: { email: string; name: string; administrator: boolean }): Promise<AccountWithLink>;
  /** Creates a link to set a new password: it works once, for 24 hours. */
  reset(email: string): Promise<AccountWithLink>;
  /**
   * Disabling ends all sessions and grants and blocks the keys; nothing else is deleted. `by`: the id of the administrator
   * who asks, undefined for the operator. Throws PERMISSION_DENIED where that one ceased to be one, and CONFLICT for a
   * change that would leave no administrator who can log in; the operator may make it.
   */
  update(
    which: { readonly id: string } | { readonly email: string },
    changes: AccountChanges,
    by?: string,
  ): Promise<Account>;
}
export interface AccountChanges {
  readonly disabled?: boolean;
  readonly administrator?: boolean;
}
export const AccountAdministration = token<AccountAdministration>('auth.AccountAdministration');

export const accountAdministration = provide(AccountAdministration, {
  uses: { database: Database, clock: Clock, deployment: Deployment },
  create: ({ database, clock, deployment }) => {
    const get = async (
      which: { readonly id: string } | { readonly email: string },
      sql: Sql = database.sql,
    ): Promise<UserRow> => {
      const byEmail = 'email' in which;
      const row = await findUser(sql, byEmail ? { email: normalEmail(which.email) } : which);
      if (!row) throw notFound('account', byEmail ? which.email : which.id, 'auth_list_accounts');
      return row;
    };
    const linkFor = async (userId: string) =>
      passwordLink(deployment, await database.transaction((sql) => createReset(sql, clock, userId)));
    return {
      list({ query = '', ...paging }) {
        const users = database.sql('users').select('*').orderBy('email');
        if (query.trim() === '') return selectPage<UserRow, Account>(users, paging, toAccount);
        const matching = whereContains(users, ['email', 'name'], query.trim());
        return selectPage<UserRow, Account>(matching, paging, toAccount);
      },
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
        const row = await get({ email });
        if (row.disabled_at !== null)
          throw new ServiceError(
            'CONFLICT',
            'This account is disabled. Enable it with auth_enable_account first.',
          );
        return { account: toAccount(row), link: await linkFor(row.id) };
      },
      async update(which, { disabled, administrator }, by) {
        return database.transaction(async (sql) => {
          // Locks the administrators first: of two who demote each other, the second is one no longer.
          const administrators = await sql<UserRow>('users')
            .where({ administrator: 1 })
            .orderBy('id')
            .forUpdate(); // SQLite has one writer anyway
          const isActive = (user: UserRow) => user.administrator === 1 && user.disabled_at === null;
          if (by !== undefined && !administrators.some((user) => user.id === by && isActive(user)))
            throw new ServiceError(
              'PERMISSION_DENIED',
              'This is for administrators of the deployment. Ask one of them.',
            );
          const row = await get(which, sql);
          const changed: UserRow = {
            ...row,
            ...(administrator !== undefined && { administrator: administrator ? 1 : 0 }),
            ...(disabled !== undefined && {
              disabled_at: disabled ? (row.disabled_at ?? clock.now().toISOString()) : null,
            }),
          };
          // An account without a password cannot log in, and counts only where the changed one has none either.
          const others = administrators.filter(
            (user) =>
              user.id !== row.id &&
              isActive(user) &&
              (user.password_hash !== null || row.password_hash === null),
          );
          if (by !== undefined && isActive(row) && !isActive(changed) && others.length === 0)
            throw new ServiceError(
              'CONFLICT',
              'This is the last administrator who can log in. First make another account administrator that has a password.',
            );
          const { disabled_at } = changed;
          await sql('users')
            .where({ id: row.id })
            .update({ disabled_at, administrator: changed.administrator });
          if (disabled) await revokeAccess(sql, row.id);
          return toAccount(changed);
        });
      },
    };
  },
});
