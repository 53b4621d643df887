import assert from 'node:assert/strict';
import { countRows } from '@service-mcp/core';
import { onDatabase, rejects } from '@service-mcp/core/testing';
import { authHost, bearer, operator, withKey, type AuthHost, type Login } from './support.js';

onDatabase('postgresql', (fresh) => {
  describe('changes of accounts that wait for each other', () => {
    const hosts: AuthHost[] = [];
    let login: Login;
    before(async () => {
      const database = await fresh();
      for (let n = 0; n < 2; n += 1) hosts.push(await authHost(database, {}, { workers: false }));
      login = await first().register('a@example.com');
    });
    after(() => Promise.all(hosts.map((host) => host.stop())));
    const first = () => hosts[0] as AuthHost; // `before` started two
    const second = () => hosts[1] as AuthHost;

    /** Starts changes one after the other, each once the former waits for a row that is held, and lets them go on. */
    async function inQueue(
      { table, id }: { readonly table: string; readonly id: string },
      changes: ReadonlyArray<() => Promise<unknown>>,
    ): Promise<PromiseSettledResult<unknown>[]> {
      const { database } = first();
      const started: Array<Promise<unknown>> = [];
      const holding = await database.sql.transaction();
      await holding(table).where({ id }).forUpdate();
      for (const change of changes) {
        const running = change();
        running.catch(() => undefined);
        started.push(running);
        for (;;) {
          // For a row of that table: what else waits says nothing about the order.
          const waiting = database
            .sql('pg_stat_activity')
            .whereRaw("datname = current_database() AND wait_event IN ('transactionid', 'tuple')")
            .whereLike('query', `%"${table}"%`);
          if ((await countRows(waiting)) === started.length) break;
        }
      }
      await holding.rollback();
      return Promise.allSettled(started);
    }

    it('save the last use of keys, whatever order two processes saw them in', async () => {
      const keys = [await first().makeKey(login), await first().makeKey(login)] as const;
      const [older, newer] = keys;
      for (const key of [older, newer]) await first().authenticate(withKey(key));
      for (const key of [newer, older]) await second().authenticate(withKey(key));
      const list = (host: AuthHost) => () => host.as(bearer(login), 'auth_list_api_keys');
      const lists = await inQueue({ table: 'api_keys', id: older.id }, [list(first()), list(second())]);
      assert.deepEqual(
        lists.map(({ status }) => status),
        ['fulfilled', 'fulfilled'],
      );
      const unused = await first()
        .database.sql('api_keys')
        .whereIn('id', [older.id, newer.id])
        .whereNull('last_used_at');
      assert.deepEqual(unused, []);
    });

    it('disable an account in the moment in which its person uses a reset link', async () => {
      const email = 'b@example.com';
      const { user } = await first().register(email);
      const { link } = await first().use<{ link: string }>('auth_reset_account', { email }, operator);
      const reset_token = new URL(link).searchParams.get('token');
      const [disabled, set] = await inQueue({ table: 'users', id: user.id }, [
        () => first().use('auth_disable_account', { email }, operator),
        () => second().open('auth_password', { reset_token, new_password: 'another long password' }),
      ]);
      assert.equal(disabled?.status, 'fulfilled', JSON.stringify(disabled));
      assert.equal(set?.status, 'rejected');
      await rejects(Promise.reject(set.reason as Error), 'UNAUTHENTICATED', /link/);
    });

    it('make nobody administrator by a call of one who ceased to be one meanwhile', async () => {
      const administrator = await first().register('c@example.com');
      const friend = await first().register('d@example.com');
      const update =
        (by: Login, { user }: Login, changes: object) =>
        () =>
          first().as(bearer(by), 'auth_update_account', { account_id: user.id, ...changes });
      for (const end of [{ administrator: false }, { disabled: true }]) {
        await update(login, administrator, { administrator: true, disabled: false })();
        const [ended, later] = await inQueue({ table: 'users', id: login.user.id }, [
          update(login, administrator, end),
          update(administrator, friend, { administrator: true }),
        ]);
        assert.equal(ended?.status, 'fulfilled');
        assert.ok(later?.status === 'rejected', JSON.stringify(end));
        await rejects(Promise.reject(later.reason as Error), 'PERMISSION_DENIED', /administrators/);
      }
    });

    it('delete no account that becomes the only owner of a workspace meanwhile', async () => {
      const owner = await first().register('owner@example.com');
      const heir = await first().register('heir@example.com');
      const by = bearer(owner);
      const { id: workspace_id } = await first().as<{ id: string }>(by, 'workspaces_create', {
        name: 'team',
      });
      await first().as(by, 'members_add', { workspace_id, email: heir.user.email, role: 'admin' });
      const { items } = await first().as<{ items: Array<{ id: string }> }>(
        bearer(heir),
        'members_list_invitations',
      );
      await first().as(bearer(heir), 'members_accept', { membership_id: items[0]?.id });
      const update =
        ({ user }: Login, role: string) =>
        () =>
          first().as(by, 'members_update', { workspace_id, user_id: user.id, role });
      const [given, left, deleted] = await inQueue({ table: 'workspaces', id: workspace_id }, [
        update(heir, 'owner'),
        update(owner, 'member'),
        () => second().use('auth_delete_account', { account_id: heir.user.id }, operator),
      ]);
      assert.deepEqual([given?.status, left?.status], ['fulfilled', 'fulfilled']);
      assert.equal(deleted?.status, 'rejected');
      await rejects(Promise.reject(deleted.reason as Error), 'CONFLICT', /only owner of "team"/);
    });
  });
});
