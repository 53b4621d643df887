import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { Application, Browser, type Granted } from '../security/oauth-browser.js';
import { bearer, startHosted, type Account, type Hosted } from '../security/start-hosted.js';
import { INITIALIZE, NOBODY, PAGE_FIELDS, RFC3339_MS, UUIDV7, dataOf, issuePath, send } from './http.js';

interface Listed {
  readonly items: ReadonlyArray<Record<string, unknown>>;
  readonly total: number;
}
type Headers = Readonly<Record<string, string>>;

eachDatabase((_fresh, engine) => {
  describe('contract.md 2: connections, sessions and accounts', () => {
    let service: Hosted;
    let root: Account;
    let ann: Account;
    let browser: Browser;
    let granted: Granted;
    before(async () => {
      service = await startHosted({}, engine);
      root = await service.account('root');
      ann = await service.account('ann');
      browser = new Browser(service.url);
      await browser.signIn(ann.email);
      granted = await (await new Application(service.url).register()).tokens(browser);
    });
    after(() => service.stop());

    const use = (method: string, path: string, headers: Headers = bearer(ann.key), body?: object) =>
      send(service.url, method, path, { headers, ...(body && { body }) });
    const list = async (path: string, headers?: Headers) =>
      dataOf<Listed>((await use('GET', path, headers)).body);
    const callMcp = () => {
      const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE };
      const accept = { accept: 'application/json, text/event-stream' };
      return send(service.url, 'POST', '/mcp', {
        body,
        headers: { ...accept, ...bearer(granted.access_token) },
      });
    };

    it('2 GET /v1/auth/connections, DELETE …/:id: allowed applications; their tokens end at once', async () => {
      assert.equal((await callMcp()).status, 200);
      const reply = await use('GET', '/v1/auth/connections');
      assert.deepEqual(Object.keys(reply.body.data ?? {}).sort(), PAGE_FIELDS);
      const { items, total } = dataOf<Listed>(reply.body);
      const [connection] = items;
      assert.ok(connection && total === 1);
      const { id, name, scopes, created_at, last_used_at, current, ...others } = connection;
      assert.deepEqual([typeof name, current, others], ['string', false, {}]);
      assert.deepEqual(
        scopes,
        granted.scope.split(' ').filter((scope) => scope.includes(':')),
      );
      for (const time of [created_at, last_used_at]) assert.match(String(time), RFC3339_MS);
      assert.ok(!reply.text.includes(granted.access_token) && !reply.text.includes(granted.refresh_token));

      assert.equal((await list('/v1/auth/connections', bearer(root.key))).total, 0);
      const path = `/v1/auth/connections/${String(id)}`;
      assert.equal((await use('DELETE', path, bearer(root.key))).status, 404);
      assert.equal((await use('DELETE', path, {})).status, 401);
      assert.equal((await callMcp()).status, 200, 'a refused request ends nothing');
      const gone = await use('DELETE', path);
      assert.deepEqual([gone.status, gone.body.data], [200, { id, revoked: true }]);
      assert.equal((await callMcp()).status, 401);
      assert.equal((await list('/v1/auth/connections')).total, 0);
      assert.equal((await use('DELETE', path)).status, 404);
      for (const wrong of ['..%2f..', '%00', 'a'.repeat(65), "'--", '%F0%9F%98%80']) {
        const bad = await use('DELETE', `/v1/auth/connections/${wrong}`);
        assert.ok(bad.status === 400 || bad.status === 404, `${wrong}: ${bad.status}`);
      }
    });

    it('2 GET /v1/auth/sessions, DELETE …/:id: logins of browsers, the current one marked', async () => {
      const other = new Browser(service.url);
      await other.signIn(ann.email);
      const cookie = { cookie: browser.cookie };
      const { items } = await list('/v1/auth/sessions', cookie);
      const now = items.filter(({ current }) => current);
      assert.equal(now.length, 1);
      for (const session of items) {
        const fields = ['created_at', 'current', 'expires_at', 'id', 'last_used_at', 'name'];
        assert.deepEqual(Object.keys(session).sort(), fields);
        assert.match(String(session['id']), UUIDV7);
      }
      const newest = items[0] ?? assert.fail();
      assert.deepEqual([newest['current'], newest['last_used_at']], [false, null]);
      const path = `/v1/auth/sessions/${String(newest['id'])}`;
      assert.equal((await use('DELETE', path, cookie)).status, 403, 'a page of another site');
      assert.equal((await use('DELETE', path, bearer(root.key))).status, 404);
      const gone = await use('DELETE', path, { ...cookie, origin: service.url });
      assert.deepEqual([gone.status, gone.body.data], [200, { id: newest['id'], revoked: true }]);
      assert.equal((await other.get('/oauth/account')).status, 303, 'is signed out');
      assert.equal((await browser.get('/oauth/account')).status, 200);
      assert.equal((await use('DELETE', `/v1/auth/sessions/${NOBODY}`)).status, 404);
      const wrong = await use('DELETE', '/v1/auth/sessions/mine');
      assert.deepEqual([wrong.status, issuePath(wrong.body.error)], [400, '/session_id']);
    });

    it('2 GET /v1/auth/accounts, PATCH …/:id: query?, paging; disabled?, administrator?; for administrators', async () => {
      const admin = bearer(root.key);
      const found = await list('/v1/auth/accounts?query=ANN%40', admin);
      assert.deepEqual(
        found.items.map(({ id, email }) => [id, email]),
        [[ann.id, ann.email]],
      );
      const path = `/v1/auth/accounts/${ann.id}`;
      for (const reply of [
        await use('GET', '/v1/auth/accounts'),
        await use('PATCH', path, bearer(ann.key), { administrator: true }),
      ])
        assert.deepEqual([reply.status, reply.body.error?.code], [403, 'PERMISSION_DENIED']);
      const disabled = await use('PATCH', path, admin, { disabled: true });
      assert.equal(disabled.body.data?.['disabled'], true);
      assert.equal((await use('GET', '/v1/auth/me')).status, 401);
      assert.equal((await use('PATCH', path, admin, { disabled: false })).status, 200);
      assert.equal((await use('GET', '/v1/auth/me')).status, 200, 'its keys work again');
      const last = await use('PATCH', `/v1/auth/accounts/${root.id}`, admin, { administrator: false });
      assert.deepEqual([last.status, last.body.error?.code], [409, 'CONFLICT']);
      for (const [body, issue] of [
        [{ disabled: 'true' }, '/disabled'],
        [{ password: 'x' }, '/password'],
        [{ id: root.id }, '/id'],
      ] as const) {
        const reply = await use('PATCH', path, admin, body);
        assert.deepEqual([reply.status, issuePath(reply.body.error)], [400, issue]);
      }
      assert.equal((await use('PATCH', `/v1/auth/accounts/${NOBODY}`, admin, {})).status, 404);
    });
  });
});
