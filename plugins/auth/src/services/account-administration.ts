import {
  AccountData,
  Clock,
  Database,
  Deployment,
  Events,
  FormerPlugins,
  ServiceError,
  WORK_PENDING,
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
import { lockAdministrators, requireAdministrator } from './administrators.js';
import { createReset, passwordLink } from './reset-tokens.js';
import { planLaterErasure } from './later-erasures.js';
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
  /**
   * Deletes an account with all that the plugins hold of its person (see `AccountData`). `by` and the refusals as in
   * `update`; throws CONFLICT too where a workspace would be left without a member or an owner.
   */
  delete(id: string, request: AccountDeletion, by?: string): Promise<void>;
}
export interface AccountDeletion {
  /** Whether workspaces in which the account is the only member are deleted with it. */
  readonly deleteWorkspaces: boolean;
}
export interface AccountChanges {
  readonly disabled?: boolean;
  readonly administrator?: boolean;
}
export const AccountAdministration = token<AccountAdministration>('auth.AccountAdministration');

export const accountAdministration = provide(AccountAdministration, {
  uses: {
    database: Database,
    clock: Clock,
    deployment: Deployment,
    events: Events,
    former: FormerPlugins,
    data: AccountData,
  },
  create: ({ database, clock, deployment, events, former, data }) => {
    const get = async (
      which: { readonly id: string } | { readonly email: string },
      sql: Sql = database.sql,
    ): Promise<UserRow> => {
      const byEmail = 'email' in which;
      const row = await findUser(sql, byEmail ? { email: normalEmail(which.email) } : which);
      if (!row) throw accountNotFound(byEmail ? which.email : which.id);
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
          const administrators = await lockAdministrators(sql, by);
          const row = await get(which, sql);
          const changed: UserRow = {
            ...row,
            ...(administrator !== undefined && { administrator: administrator ? 1 : 0 }),
            ...(disabled !== undefined && {
              disabled_at: disabled ? (row.disabled_at ?? clock.now().toISOString()) : null,
            }),
          };
          if (by !== undefined) requireAdministrator(administrators, row, changed);
          const { disabled_at } = changed;
          await sql('users')
            .where({ id: row.id })
            .update({ disabled_at, administrator: changed.administrator });
          if (disabled) await revokeAccess(sql, row.id);
          return toAccount(changed);
        });
      },
      async delete(id, { deleteWorkspaces }, by) {
        await events.change(async (sql, record) => {
          const administrators = await lockAdministrators(sql, by);
          const row = await get({ id }, sql);
          if (by !== undefined) requireAdministrator(administrators, row);
          const isFirst = (await sql('users').where({ id }).delete()) > 0; // of two at once, one deletes it
          if (!isFirst) throw accountNotFound(id);
          const account = { userId: id, email: row.email, deleteWorkspaces };
          for (const part of data) await part.erase(sql, record, account);
          await planLaterErasure(sql, account, { clock, former });
        });
        events.wake(WORK_PENDING); // what leaves an index is work
      },
    };
  },
});

function accountNotFound(named: string): ServiceError {
  return notFound('account', named, 'auth_list_accounts');
}
