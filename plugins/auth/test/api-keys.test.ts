import assert from 'node:assert/strict';
import type { Headers } from '@service-mcp/core';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import { crc32 } from 'node:zlib';
import { authHost, bearer, operator, withKey, type AuthHost, type Login, type NewKey } from './support.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A well-formed key with this id that was never created. */
function forged(keyId: string): string {
  const body = `svc_live_${keyId}${'s'.repeat(32)}`;
  let rest = crc32(body);
  let sum = '';
  for (let i = 0; i < 6; i++) {
    sum = ALPHABET[rest % 62] + sum;
    rest = Math.floor(rest / 62);
  }
  return body + sum;
}

eachDatabase((fresh) => {
  describe('API keys', () => {
    let host: AuthHost;
    let login: Login;
    before(async () => {
      host = await authHost(await fresh());
      login = await host.register('a@example.com');
    });
    after(() => host.stop());

    const makeWith = (key: NewKey, more: object = {}) =>
      host.as<NewKey>(withKey(key), 'auth_create_api_key', { name: 'child', ...more });
    const workspace = async () =>
      (await host.as<{ id: string }>(bearer(login), 'workspaces_create', { name: 'W' })).id;

    it('is shown once, works in every header, and is listed without its secret', async () => {
      const made = await host.makeKey(login);
      assert.match(made.secret_key, /^svc_live_[0-9A-Za-z]{48}$/);
      assert.deepEqual(made.scopes, ['mcp:read', 'mcp:write']);
      assert.equal(made.secret_key.startsWith(made.prefix), true);
      assert.ok(!made.masked_key.includes(made.secret_key.slice(19, 51)));
      for (const headers of [
        { 'x-service-api-key': made.secret_key },
        { 'x-api-key': made.secret_key },
        bearer(made.secret_key),
        { authorization: `bearer   ${made.secret_key}` },
      ]) {
        const caller = await host.authenticate(headers);
        assert.deepEqual(
          [caller?.kind, caller?.userId, caller?.credentialId],
          ['api_key', login.user.id, made.id],
        );
      }
      const page = await host.as<{ items: NewKey[]; total: number }>(withKey(made), 'auth_list_api_keys');
      const [{ secret_key: _secret, last_used_at: _never, ...shown }] = [made];
      const { last_used_at: used, ...listed } = page.items[0] as NewKey;
      assert.deepEqual(listed, shown);
      assert.ok(Date.now() - Date.parse(String(used)) < 10_000, 'last_used_at is there');
      assert.ok(!JSON.stringify(await host.database.sql('api_keys')).includes(made.secret_key.slice(19, 51)));
      const me = await host.as<{ credential: object; workspaces: object[] }>(withKey(made), 'auth_me');
      assert.deepEqual(me.credential, { kind: 'api_key', scopes: made.scopes, key_id: made.id });
    });

    it('revokes itself and keys with no more permissions; a login revokes every key', async () => {
      const everything = await host.makeKey(login, { scopes: ['*'] });
      const bundled = await host.makeKey(login);
      const small = await host.makeKey(login, { scopes: ['auth:write'] });
      const revoke = (by: Headers, { id }: NewKey) => host.as(by, 'auth_revoke_api_key', { key_id: id });
      await rejects(revoke(withKey(bundled), everything), 'PERMISSION_DENIED', /has more permissions/);
      await rejects(revoke(withKey(small), bundled), 'PERMISSION_DENIED', /has more permissions/);
      await revoke(withKey(bundled), small);
      await revoke(withKey(bundled), bundled);
      await revoke(bearer(login), everything);
    });

    it('is rejected when revoked, expired, wrong or unknown', async () => {
      const revoked = await host.makeKey(login);
      assert.deepEqual(await host.as(bearer(login), 'auth_revoke_api_key', { key_id: revoked.id }), {
        id: revoked.id,
        revoked: true,
      });
      await rejects(host.authenticate(withKey(revoked)), 'UNAUTHENTICATED', /revoked/);
      const expiring = await host.makeKey(login, { expires_at: new Date(Date.now() + 60_000).toISOString() });
      assert.equal((await host.authenticate(withKey(expiring)))?.expiresAt, expiring.expires_at);
      await host.database
        .sql('api_keys')
        .where({ id: expiring.id })
        .update({ expires_at: new Date(0).toISOString() });
      await rejects(host.authenticate(withKey(expiring)), 'UNAUTHENTICATED', /expired/);
      await rejects(host.authenticate({ 'x-api-key': forged('0123456789') }), 'UNAUTHENTICATED', /unknown/);
      await rejects(
        host.authenticate({ 'x-api-key': `${revoked.secret_key}x` }),
        'UNAUTHENTICATED',
        /mistyped/,
      );
      await rejects(
        host.makeKey(login, { expires_at: '2020-01-01T00:00:00Z' }),
        'INVALID_ARGUMENT',
        /in the future/,
      );
      const stranger = await host.register('stranger@example.com');
      const mine = await host.makeKey(login);
      await rejects(
        host.as(bearer(stranger), 'auth_revoke_api_key', { key_id: mine.id }),
        'NOT_FOUND',
        /auth_list_api_keys/,
      );
    });

    it('with the id of one key and the secret of another is unknown', async () => {
      const made = await host.makeKey(login);
      const key = forged(made.prefix.slice(-10));
      await rejects(host.authenticate({ 'x-api-key': key }), 'UNAUTHENTICATED', /unknown/);
    });

    it('mistyped in any place needs no database read', async () => {
      const { secret_key: key } = await host.makeKey(login);
      const looks: string[] = [];
      const look = ({ sql }: { sql: string }) => void looks.push(sql);
      host.database.sql.on('query', look);
      const wrong = [
        'svc_live_',
        `${key}0`,
        key.slice(1),
        key.toLowerCase(),
        key.slice(0, -1),
        'x'.repeat(5000),
      ];
      for (let i = 9; i < key.length; i++)
        wrong.push(key.slice(0, i) + (key[i] === 'a' ? 'b' : 'a') + key.slice(i + 1));
      for (const text of wrong)
        await rejects(host.authenticate({ 'x-service-api-key': text }), 'UNAUTHENTICATED', /mistyped/);
      host.database.sql.removeListener('query', look);
      assert.deepEqual(looks, []);
    });

    it('never widens: scopes', async () => {
      const narrow = await host.makeKey(login, { scopes: ['auth:write', 'workspaces:read'] });
      for (const scope of ['*', 'mcp:read', 'mcp:write', 'workspaces:write', 'admin:read', 'metrics:read'])
        await rejects(makeWith(narrow, { scopes: [scope] }), 'INVALID_ARGUMENT', /not among the scopes/);
      assert.deepEqual((await makeWith(narrow)).scopes, ['auth:write', 'workspaces:read']);
      const reader = await host.makeKey(login, { scopes: ['mcp:read', 'auth:write'] });
      assert.deepEqual((await makeWith(reader)).scopes, ['mcp:read']);
      const bundle = await host.makeKey(login);
      await rejects(makeWith(bundle, { scopes: ['*'] }), 'INVALID_ARGUMENT', /not among the scopes/);
      await rejects(
        makeWith(bundle, { scopes: ['admin:write'] }),
        'INVALID_ARGUMENT',
        /not among the scopes/,
      );
      await rejects(
        makeWith(reader, { name: 'x', scopes: ['mcp:write'] }),
        'INVALID_ARGUMENT',
        /not among the scopes/,
      );
      await rejects(
        host.as(withKey(await makeWith(reader)), 'auth_create_api_key', { name: 'x' }),
        'PERMISSION_DENIED',
        /auth:write/,
      );
    });

    it('lists the known scopes', async () => {
      for (const scope of ['workspaces:reed', 'Workspaces:read', '', 'workspaces', '**', 'mcp:*']) {
        const error = await rejects(
          host.makeKey(login, { scopes: [scope] }),
          'INVALID_ARGUMENT',
          /is not a scope/,
        );
        assert.match(error.message, /workspaces:read/);
      }
      await rejects(host.makeKey(login, { scopes: [] }), 'INVALID_ARGUMENT');
      await rejects(
        host.makeKey(login, { scopes: Array.from({ length: 200 }, () => '*') }),
        'INVALID_ARGUMENT',
      );
    });

    it('never widens: workspace and expiry', async () => {
      const [here, there] = [await workspace(), await workspace()];
      const confined = await host.makeKey(login, { workspace_id: here, scopes: ['*'] });
      assert.equal((await host.authenticate(withKey(confined)))?.workspaceId, here);
      assert.equal((await makeWith(confined)).workspace_id, here);
      const seen = await host.as<{ credential: { workspace_id?: string } }>(withKey(confined), 'auth_me');
      assert.equal(seen.credential.workspace_id, here);
      await rejects(makeWith(confined, { workspace_id: there }), 'NOT_FOUND', /workspaces_list/);
      const listed = await host.as<{ items: NewKey[] }>(withKey(confined), 'auth_list_api_keys');
      assert.ok(listed.items.every(({ workspace_id }) => workspace_id === here));
      const free = await host.makeKey(login);
      await rejects(host.as(withKey(confined), 'auth_revoke_api_key', { key_id: free.id }), 'NOT_FOUND');
      await rejects(host.as(withKey(confined), 'workspaces_get', { workspace_id: there }), 'NOT_FOUND');
      const stranger = await host.register(`s${here.slice(-6)}@example.com`);
      await rejects(host.makeKey(stranger, { workspace_id: here }), 'NOT_FOUND', /workspaces_list/);

      const end = new Date(Date.now() + 3_600_000).toISOString();
      const ending = await host.makeKey(login, { expires_at: end });
      assert.equal((await makeWith(ending)).expires_at, end);
      const later = new Date(Date.now() + 7_200_000).toISOString();
      await rejects(makeWith(ending, { expires_at: later }), 'INVALID_ARGUMENT', /not be after/);
    });

    it('ends with the key that created it, over generations', async () => {
      const parent = await host.makeKey(login);
      const child = await makeWith(parent);
      const grandchild = await makeWith(child);
      const sibling = await host.makeKey(login);
      await host.as(bearer(login), 'auth_revoke_api_key', { key_id: parent.id });
      for (const key of [parent, child, grandchild])
        await rejects(host.authenticate(withKey(key)), 'UNAUTHENTICATED', /revoked/);
      assert.ok(await host.authenticate(withKey(sibling)));
    });

    it('leaves no child active when its parent is revoked concurrently', async () => {
      for (let round = 0; round < 5; round++) {
        const parent = await host.makeKey(login);
        const [made] = await Promise.all([
          Promise.allSettled(Array.from({ length: 5 }, () => makeWith(parent))),
          host.as(bearer(login), 'auth_revoke_api_key', { key_id: parent.id }),
        ]);
        for (const one of made)
          if (one.status === 'fulfilled')
            await rejects(host.authenticate(withKey(one.value)), 'UNAUTHENTICATED', /revoked/);
      }
    });

    it('writes nothing on use, and its last use when the service stops', async () => {
      const database = await fresh();
      const first = await authHost(database, {}, { workers: false }); // they write when they like
      const key = await first.makeKey(await first.register('b@example.com'));
      const read = async (at: AuthHost) => {
        const row: { last_used_at: string | null } = await at.database
          .sql('api_keys')
          .where({ id: key.id })
          .first('last_used_at');
        return row.last_used_at;
      };
      const writes: string[] = [];
      first.database.sql.on('query', ({ sql }: { sql: string }) => {
        if (/^\s*(insert|update|delete|begin)/i.test(sql)) writes.push(sql);
      });
      for (let i = 0; i < 50; i++) await first.authenticate(withKey(key));
      assert.deepEqual(writes, []);
      assert.equal(await read(first), null);
      await first.stop();
      const second = await authHost(database);
      try {
        assert.ok(await read(second));
        await second.use('auth_disable_account', { email: 'b@example.com' }, operator);
        await rejects(second.authenticate(withKey(key)), 'UNAUTHENTICATED', /disabled/);
      } finally {
        await second.stop();
      }
    });

    it('revoked on one replica is rejected by the next request on another', async () => {
      const database = await fresh();
      const hosts = [await authHost(database), await authHost(database)] as const;
      try {
        const owner = await hosts[0].register('c@example.com');
        const key = await hosts[0].makeKey(owner);
        assert.ok(await hosts[1].authenticate(withKey(key)));
        await hosts[0].as(bearer(owner), 'auth_revoke_api_key', { key_id: key.id });
        await rejects(hosts[1].authenticate(withKey(key)), 'UNAUTHENTICATED', /revoked/);
      } finally {
        for (const one of hosts) await one.stop();
      }
    });
  });
});
