import assert from 'node:assert/strict';
import { ServiceError, type Headers } from '@service-mcp/core';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import { authHost, bearer, withKey, type AuthHost, type Login, type NewKey } from './support.js';

eachDatabase((fresh) => {
  describe('the credential of a call', () => {
    let host: AuthHost;
    let ann: Login;
    let ben: Login;
    let key: NewKey;
    let bens: NewKey;
    before(async () => {
      host = await authHost(await fresh());
      ann = await host.register('ann@example.com');
      ben = await host.register('ben@example.com');
      key = await host.makeKey(ann);
      bens = await host.makeKey(ben);
    });
    after(() => host.stop());

    it('is absent without headers, and the first in order when several belong to one person', async () => {
      assert.equal(await host.authenticate({}), undefined);
      const second = await host.makeKey(ann);
      const caller = await host.authenticate({
        ...bearer(ann),
        'x-api-key': second.secret_key,
        'x-service-api-key': key.secret_key,
      });
      assert.equal(caller?.credentialId, key.id);
      const next = await host.authenticate({ ...bearer(ann), 'x-api-key': second.secret_key });
      assert.equal(next?.credentialId, second.id);
    });

    it('is rejected when two belong to different people, in every pair of headers', async () => {
      const forms = [
        (k: NewKey) => ({ 'x-service-api-key': k.secret_key }),
        (k: NewKey) => ({ 'x-api-key': k.secret_key }),
        (k: NewKey) => bearer(k.secret_key),
      ];
      for (const one of forms) {
        for (const other of forms) {
          if (one === other) continue;
          const headers = { ...one(key), ...other(bens) };
          await rejects(host.authenticate(headers), 'UNAUTHENTICATED', /two people/);
        }
      }
      const cookie = `service_session_0=${await host.sessions.beginBrowser(ben.user.id)}`;
      await rejects(host.authenticate({ ...withKey(key), cookie }), 'UNAUTHENTICATED', /two people/);
      await rejects(
        host.authenticate({ ...withKey(key), 'x-api-key': 'svc_live_wrong' }),
        'UNAUTHENTICATED',
        /mistyped/,
      );
    });

    it('is rejected when a header is malformed or sent twice', async () => {
      for (const headers of [
        { authorization: '' },
        { authorization: 'Bearer' },
        { authorization: 'Bearer ' },
        { authorization: `Basic ${key.secret_key}` },
        { authorization: key.secret_key },
        { authorization: `Bearer ${key.secret_key} ${key.secret_key}` },
        { authorization: `Bearer ${'x'.repeat(10_000)}` },
        { authorization: [`Bearer ${key.secret_key}`, `Bearer ${key.secret_key}`] },
        { 'x-api-key': '' },
        { 'x-api-key': `${key.secret_key}, ${key.secret_key}` },
        { 'x-api-key': [key.secret_key, key.secret_key] },
        { 'x-api-key': ann.access_token },
        { 'x-service-api-key': 'ключ' },
        bearer('a.b.c'),
        bearer('unknown'),
        bearer('svc_at_unknown'),
        { 'x-service-jwt': key.secret_key },
      ])
        await rejects(host.authenticate(headers), 'UNAUTHENTICATED');
    });

    it('names the variable as the fault where a header is empty or holds its name', async () => {
      for (const headers of [
        { 'x-service-api-key': '' },
        { 'x-api-key': ' ' },
        bearer(''),
        { authorization: '' },
      ])
        await rejects(host.authenticate(headers), 'UNAUTHENTICATED', /is empty\. Set the variable/);
      for (const name of ['$KEY', '${SERVICE_API_KEY}', '${env:KEY}', '{{KEY}}', '%KEY%', '<your-key>'])
        for (const headers of [{ 'x-service-api-key': name }, bearer(name)])
          await rejects(
            host.authenticate(headers),
            'UNAUTHENTICATED',
            /the name of a variable, not its value/,
          );
    });

    it('is the cookie of a browser when there is nothing else; an expired one is ignored', async () => {
      const cookie = `a=b; service_session_0=${await host.sessions.beginBrowser(ann.user.id)}; c=d`;
      const caller = await host.authenticate({ cookie });
      assert.deepEqual([caller?.kind, caller?.userId, caller?.administrator], ['session', ann.user.id, true]);
      const stale = 'service_session_0=svc_bs_gone';
      assert.equal(await host.authenticate({ cookie: stale }), undefined);
      assert.equal((await host.authenticate({ ...withKey(key), cookie: stale }))?.credentialId, key.id);
      const forged = [
        `service_session_0=${ann.access_token}`,
        'service_session_0=',
        `${cookie}; service_session_0=svc_bs_other`,
        cookie.replace('service_session_0', '__Host-service_session'),
        'service_session_0',
        ';;;=;',
      ];
      for (const one of forged) assert.equal(await host.authenticate({ cookie: one }), undefined, one);
      await host.database.sql('sessions').update({ expires_at: new Date(0).toISOString() });
      assert.equal(await host.authenticate({ cookie }), undefined);
    });

    it('by cookie allows changes only from our own pages', async () => {
      const cookie = `service_session_0=${await host.sessions.beginBrowser(ann.user.id)}`;
      const { base } = host.deployment.origins();
      const post = (more: Headers) => host.authenticate({ cookie, ...more }, { method: 'POST' });
      assert.ok(await post({ origin: base }));
      for (const name of ['localhost:8000', '127.0.0.1:8000', '[::1]:8000'])
        assert.ok(await post({ origin: `http://${name}`, host: name }), name);
      assert.ok(await post({ 'sec-fetch-site': 'same-origin' }));
      for (const more of [
        {},
        { origin: 'null' },
        { origin: 'https://evil.example' },
        { origin: `${base}.evil.example` },
        { origin: 'http://localhost:8001', host: 'localhost:8000' },
        { origin: 'https://localhost:8000', host: 'localhost:8000' },
        { origin: 'http://127.0.0.1:8001', host: 'localhost:8001' },
        { origin: 'http://evil.example', host: 'evil.example' },
        { origin: 'http://localhost:8001' },
        { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'none' },
      ])
        await rejects(post(more), 'PERMISSION_DENIED', /pages of this service/);
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        await rejects(host.authenticate({ cookie }, { method }), 'PERMISSION_DENIED');
      assert.ok(
        await host.authenticate({ cookie, ...withKey(key) }, { method: 'POST' }),
        'a header is not a page',
      );
    });

    it('by cookie is extended by use, at most once a day', async () => {
      const cookie = `service_session_0=${await host.sessions.beginBrowser(ann.user.id)}`;
      const sessions = () =>
        host.database.sql('sessions').whereNotNull('cookie_digest').orderBy('id', 'desc');
      const end = async () => {
        const row: { expires_at: string } = await sessions().first('expires_at');
        return row.expires_at;
      };
      const fresh = await end();
      await host.authenticate({ cookie });
      assert.equal(await end(), fresh);
      const soon = new Date(Date.now() + 60_000).toISOString();
      await host.database.sql('sessions').where({ expires_at: fresh }).update({ expires_at: soon });
      await host.authenticate({ cookie });
      assert.ok((await end()) > soon);
    });

    it('is requested with a challenge as in RFC 6750', async () => {
      const challenge: AuthHost['authenticator']['challenge'] = (surface, error) =>
        host.authenticator.challenge(surface, error);
      const none = new ServiceError('UNAUTHENTICATED', 'none');
      assert.equal(challenge('rest', none), 'Bearer');
      const bad = await rejects(host.authenticate(bearer('x')), 'UNAUTHENTICATED');
      assert.equal(challenge('rest', bad), 'Bearer error="invalid_token"');
      const narrow = new ServiceError('PERMISSION_DENIED', 'x', { details: { scope: 'memory:write' } });
      assert.equal(challenge('rpc', narrow), 'Bearer error="insufficient_scope", scope="memory:write"');
    });
  });

  describe('cookies over https', () => {
    let host: AuthHost;
    let value: string;
    let cookie: string;
    before(async () => {
      const server = { base_url: 'https://memory.example.com' };
      host = await authHost(await fresh(), { browser_session_days: 1 }, { server });
      value = await host.sessions.beginBrowser((await host.register('ann@example.com')).user.id);
      cookie = `__Host-service_session=${value}`;
    });
    after(() => host.stop());

    it('have the __Host- prefix, and the plain name is ignored', async () => {
      assert.ok(await host.authenticate({ cookie }));
      assert.equal(await host.authenticate({ cookie: `service_session_0=${value}` }), undefined);
    });

    it('allow changes from the public address alone, by whatever name the machine is called', async () => {
      const post = (headers: Headers) => host.authenticate({ cookie, ...headers }, { method: 'POST' });
      assert.ok(await post({ origin: 'https://memory.example.com', host: 'localhost:8000' }));
      const local = { origin: 'http://localhost:8000', host: 'localhost:8000' };
      await rejects(post(local), 'PERMISSION_DENIED', /pages of this service/);
    });

    it('of logins that last a day are extended by use too', async () => {
      const ofBrowser = () => host.database.sql('sessions').whereNotNull('cookie_digest');
      const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
      await ofBrowser().update({ expires_at: hours(12) });
      assert.ok(await host.authenticate({ cookie }));
      const { expires_at } = (await ofBrowser().first('expires_at')) as { expires_at: string };
      assert.ok(expires_at > hours(23), expires_at);
    });
  });
});
