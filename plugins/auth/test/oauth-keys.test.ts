import assert from 'node:assert/strict';
import { LOCAL_OWNER } from '@service-mcp/core';
import { eachDatabase } from '@service-mcp/core/testing';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { type Browser, send } from './oauth-browser.js';
import { Client, oauthHost, pkce, signedIn, type OAuthHost } from './oauth-support.js';

eachDatabase((fresh) => {
  describe('signing keys', () => {
    let host: OAuthHost;
    let replica: OAuthHost;
    let browser: Browser;
    let client: Client;
    before(async () => {
      const database = await fresh();
      host = await oauthHost({ database });
      replica = await oauthHost({ database, server: { base_url: host.url } });
      browser = await signedIn(host, 'ann@example.com');
      client = await new Client(host).register();
    });
    after(async () => {
      await replica.stop();
      await host.stop();
    });

    const published = async (from = host) =>
      (await send(from.port, `${host.url}/api/v1/oauth/jwks`)).json<
        JSONWebKeySet & { keys: Array<{ kid: string }> }
      >();
    const idToken = async () => (await client.tokens(browser, { scope: 'openid mcp:read' })).id_token ?? '';
    /** Ages the keys. */
    const age = (ms: number) => host.database.sql('oauth_keys').decrement('signs_from', ms);
    const verifies = async (token: string, by: JSONWebKeySet) =>
      jwtVerify(token, createLocalJWKSet(by), { issuer: host.url ?? '' }).then(
        () => true,
        () => false,
      );

    it('are created once, by the first process, and published without private parts', async () => {
      const [ours, theirs] = await Promise.all([published(), published(replica)]);
      assert.deepEqual(ours, theirs);
      assert.equal(ours.keys.length, 1);
      assert.equal(ours.keys[0]?.alg, 'ES256');
      assert.ok(!('d' in (ours.keys[0] ?? {})));
      assert.equal(((await host.database.sql('oauth_keys').select()) as unknown[]).length, 1);
    });

    it('rotate without a restart, while tokens and pending sign-ins stay valid', async () => {
      const before = await published();
      const oldToken = await idToken();
      const tokens = await client.tokens(browser);
      const { verifier, challenge } = pkce();
      const underWay = await client.begin(browser, challenge);

      await host.use('auth_rotate_keys', {}, { caller: LOCAL_OWNER, surface: 'cli' });
      const both = await published();
      assert.deepEqual((await published(replica)).keys, both.keys, 'the other process serves it too');
      assert.equal(both.keys.length, 2, 'it is published before it signs');
      const still = await idToken();
      assert.equal(decodeProtectedHeader(still).kid, before.keys[0]?.kid);

      await age(3 * 60_000);
      const swapped = await published();
      assert.equal(swapped.keys.length, 2);
      const signedAnew = await idToken();
      assert.notEqual(decodeProtectedHeader(signedAnew).kid, before.keys[0]?.kid);
      for (const token of [oldToken, still, signedAnew]) assert.ok(await verifies(token, swapped));
      assert.ok(await verifies(signedAnew, both), 'who kept the keys of before knows the new one');

      const back = await client.consent(browser, underWay);
      const code = String(back.searchParams.get('code'));
      assert.equal((await client.redeem({ code, verifier })).status, 200, 'cookies of the old key hold');
      assert.ok(await host.tokens.find(tokens.access_token));
      assert.equal((await client.refresh(tokens.refresh_token)).status, 200);

      await age(3 * 60 * 60_000);
      await host.keys.maintain(90);
      assert.deepEqual(
        (await published()).keys.map(({ kid }) => kid),
        [decodeProtectedHeader(signedAnew).kid],
      );
      assert.equal(await verifies(oldToken, await published()), false, 'the old key is gone');
    });

    it('rotate on schedule, once for all processes', async () => {
      const count = async () => (await published()).keys.length;
      await Promise.all([host.keys.maintain(90), replica.keys.maintain(90)]);
      assert.equal(await count(), 1, 'young keys stay');
      await age(91 * 24 * 60 * 60_000);
      await Promise.all([host.keys.maintain(90), replica.keys.maintain(90)]);
      assert.equal(await count(), 2);
    });

    it('are sealed in the database, also those of a version that stored them as they are', async () => {
      interface Row {
        readonly generation: number;
        readonly jwk: string;
        readonly cookie_key: string;
      }
      const rows = async () =>
        (await host.database.sql('oauth_keys').orderBy('generation').select()) as Row[];
      const shown = await published();
      const before = await host.keys.current();
      for (const { jwk, cookie_key: cookieKey } of await rows())
        for (const secret of before.flatMap((key) => [String(key.jwk['d']), key.cookieKey]))
          assert.ok(!jwk.includes(secret) && !cookieKey.includes(secret));

      for (const { generation, jwk, cookieKey } of before)
        await host.database
          .sql('oauth_keys')
          .where({ generation })
          .update({ jwk: JSON.stringify(jwk), cookie_key: cookieKey });
      const opened = await Promise.all([host, replica, host, replica].map((one) => one.keys.current()));
      for (const keys of opened) assert.deepEqual(keys, before);
      for (const { jwk } of await rows()) assert.doesNotMatch(jwk, /"d"/);
      assert.deepEqual(await published(replica), shown);
    });

    it('are rotated only by the operator', async () => {
      for (const surface of ['mcp', 'rest', 'rpc'] as const)
        await assert.rejects(host.use('auth_rotate_keys', {}, { caller: LOCAL_OWNER, surface }));
    });
  });
});
