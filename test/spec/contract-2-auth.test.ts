import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { bearer, startHosted, withKey, type Account, type Hosted } from '../security/start-hosted.js';
import { PASSWORD, SETUP_TOKEN } from '../security/start-team.js';
import type { Granted } from '../security/oauth-browser.js';
import { PAGE_FIELDS, RFC3339_MS, UUIDV7, dataOf, issuePath, send } from './http.js';

const KEY_FIELDS = [
  'created_at',
  'expires_at',
  'id',
  'last_used_at',
  'masked_key',
  'name',
  'prefix',
  'revoked_at',
  'scopes',
  'workspace_id',
];
const LOGIN_FIELDS = ['access_token', 'expires_in', 'refresh_token', 'token_type', 'user'];

type Headers = Readonly<Record<string, string>>;

eachDatabase((_fresh, engine) => {
  describe('contract.md 2: the routes of auth', () => {
    let service: Hosted;
    let root: Account;
    let ann: Account;
    before(async () => {
      service = await startHosted({}, engine);
      root = await service.account('root');
      ann = await service.account('ann');
    });
    after(() => service.stop());

    const use = (method: string, path: string, body?: object, headers: Headers = bearer(ann.key)) =>
      send(service.url, method, path, { headers, ...(body && { body }) });
    const open = (path: string, body: object) => use('POST', path, body, {});

    it('2 POST /v1/auth/register: email*, password* (10 to 200 characters), name?; 409 on a known address', async () => {
      const email = 'new@example.com';
      for (const [body, path] of [
        [{ password: PASSWORD }, '/email'],
        [{ email }, '/password'],
        [{ email, password: 'x'.repeat(9) }, '/password'],
        [{ email, password: 'x'.repeat(201) }, '/password'],
        [{ email: 'no address', password: PASSWORD }, '/email'],
      ] as const) {
        const reply = await open('/v1/auth/register', body);
        assert.deepEqual([reply.status, issuePath(reply.body.error)], [400, path], JSON.stringify(body));
      }
      const made = await open('/v1/auth/register', { email, password: 'x'.repeat(200) });
      assert.equal(made.status, 201);
      assert.deepEqual(Object.keys(made.body.data ?? {}).sort(), LOGIN_FIELDS);
      const again = await open('/v1/auth/register', { email: 'NEW@example.com', password: PASSWORD });
      assert.deepEqual([again.status, again.body.error?.code], [409, 'CONFLICT']);
    });

    it('2 POST /v1/auth/invitations, GET, DELETE: token this once; for administrators and workspace admins', async () => {
      const { id: workspace_id } = dataOf<{ id: string }>(
        (await use('POST', '/v1/workspaces', { name: 'ours' })).body,
      );
      const body = { email: 'guest@example.com', workspace_id, role: 'viewer' };
      const made = await use('POST', '/v1/auth/invitations', body);
      assert.equal(made.status, 201);
      const { id, token, expires_at } = dataOf<Record<string, string>>(made.body);
      assert.match(String(id), UUIDV7);
      assert.match(String(expires_at), RFC3339_MS);
      const listed = await use('GET', `/v1/auth/invitations?workspace_id=${workspace_id}`);
      assert.deepEqual(Object.keys(listed.body.data ?? {}).sort(), PAGE_FIELDS);
      assert.ok(listed.text.includes(String(id)) && !listed.text.includes(String(token)));

      const outside = await use('POST', '/v1/auth/invitations', { email: 'a@example.com' });
      assert.deepEqual([outside.status, outside.body.error?.code], [403, 'PERMISSION_DENIED']);
      const byRoot = await use('POST', '/v1/auth/invitations', { email: 'a@example.com' }, bearer(root.key));
      assert.equal(byRoot.status, 201);

      const gone = await use('DELETE', `/v1/auth/invitations/${id}`);
      assert.deepEqual([gone.status, gone.body.data], [200, { id, revoked: true }]);
    });

    it('2 POST /v1/auth/password: {changed: true}, and ends every other session', async () => {
      const eve = await service.account('eve');
      const session = async () => {
        const reply = await open('/v1/auth/login', { email: eve.email, password: PASSWORD });
        return dataOf<{ access_token: string }>(reply.body).access_token;
      };
      const [mine, other] = [await session(), await session()];
      const body = { current_password: PASSWORD, new_password: 'another long one' };
      const reply = await use('POST', '/v1/auth/password', body, bearer(mine));
      assert.deepEqual([reply.status, reply.body.data], [200, { changed: true }]);
      const statusOf = async (token: string) =>
        (await use('GET', '/v1/auth/me', undefined, bearer(token))).status;
      assert.deepEqual([await statusOf(mine), await statusOf(other)], [200, 401]);
      const without = await open('/v1/auth/password', { new_password: 'another long one' });
      assert.equal(without.status, 400);
    });

    it('2 POST /v1/auth/login: {user, access_token, refresh_token, token_type, expires_in}; one 401 text', async () => {
      const good = await open('/v1/auth/login', { email: ann.email, password: PASSWORD });
      assert.equal(good.status, 200);
      const { token_type } = dataOf<{ token_type: string }>(good.body);
      assert.deepEqual(Object.keys(good.body.data ?? {}).sort(), LOGIN_FIELDS);
      assert.equal(token_type, 'Bearer');
      const wrong = [
        await open('/v1/auth/login', { email: ann.email, password: 'wrong password' }),
        await open('/v1/auth/login', { email: 'nobody@example.com', password: 'wrong password' }),
      ];
      for (const { status, body } of wrong)
        assert.deepEqual([status, body.error], [401, wrong[0]?.body.error]);
    });

    it('2 POST /v1/auth/refresh: a new pair, the old one is spent; a replay revokes the family', async () => {
      const { body } = await open('/v1/auth/login', { email: ann.email, password: PASSWORD });
      const old = dataOf<Granted>(body);
      const fresh = await open('/v1/auth/refresh', { refresh_token: old.refresh_token });
      assert.deepEqual(
        [fresh.status, Object.keys(fresh.body.data ?? {}).sort()],
        [200, LOGIN_FIELDS.filter((name) => name !== 'user')],
      );
      const { access_token, refresh_token } = dataOf<Granted>(fresh.body);
      assert.equal((await open('/v1/auth/refresh', { refresh_token: old.refresh_token })).status, 401);
      assert.equal((await use('GET', '/v1/auth/me', undefined, bearer(access_token))).status, 401);
      assert.equal((await open('/v1/auth/refresh', { refresh_token })).status, 401);
    });

    it('2 POST /v1/auth/logout: {revoked: true}, and the session is over', async () => {
      const { body } = await open('/v1/auth/login', { email: ann.email, password: PASSWORD });
      const { access_token } = dataOf<Granted>(body);
      const reply = await use('POST', '/v1/auth/logout', {}, bearer(access_token));
      assert.deepEqual([reply.status, reply.body.data], [200, { revoked: true }]);
      assert.equal((await use('GET', '/v1/auth/me', undefined, bearer(access_token))).status, 401);
    });

    it('2 GET /v1/auth/me: profile, workspaces with the role, and the credential', async () => {
      const reply = await use('GET', '/v1/auth/me');
      const { workspaces, credential, ...profile } = dataOf<Record<string, unknown>>(reply.body);
      assert.deepEqual(Object.keys(profile).sort(), ['created_at', 'email', 'id', 'name']);
      assert.deepEqual(credential, { kind: 'api_key', scopes: ['*'], key_id: ann.keyId });
      for (const one of workspaces as object[])
        assert.deepEqual(Object.keys(one).sort(), ['id', 'name', 'role']);
      const session = await use('GET', '/v1/auth/me', undefined, bearer(ann.access_token));
      assert.equal(dataOf<{ credential: { kind: string } }>(session.body).credential.kind, 'session');
    });

    it('2 POST /v1/auth/api-keys: name*, scopes?, workspace_id?, expires_at?; the record and secret_key this once', async () => {
      const { id: workspace_id } = dataOf<{ id: string }>(
        (await use('POST', '/v1/workspaces', { name: 'confining' })).body,
      );
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      const wanted = {
        name: 'narrow',
        scopes: ['search:read', 'workspaces:write'],
        workspace_id,
        expires_at,
      };
      const made = await use('POST', '/v1/auth/api-keys', wanted);
      assert.equal(made.status, 201, made.text);
      const { secret_key, ...record } = dataOf<Record<string, unknown>>(made.body);
      assert.deepEqual(Object.keys(record).sort(), KEY_FIELDS);
      assert.deepEqual(
        { name: record['name'], scopes: record['scopes'], workspace_id, expires_at: record['expires_at'] },
        wanted,
      );
      const listed = await use('GET', '/v1/auth/api-keys?per_page=1');
      const [first] = dataOf<{ items: object[] }>(listed.body).items;
      assert.deepEqual([Object.keys(listed.body.data ?? {}).sort(), first], [PAGE_FIELDS, record]);
      assert.ok(!listed.text.includes(String(secret_key)));
      assert.equal((await use('POST', '/v1/auth/api-keys', {})).status, 400);
    });

    it('2 DELETE /v1/auth/api-keys/:id: {id, revoked: true}, effective on the next request', async () => {
      const made = await use('POST', '/v1/auth/api-keys', { name: 'short-lived' });
      const { id, secret_key } = dataOf<{ id: string; secret_key: string }>(made.body);
      assert.equal((await use('GET', '/v1/workspaces', undefined, withKey(secret_key))).status, 200);
      const reply = await use('DELETE', `/v1/auth/api-keys/${id}`);
      assert.deepEqual([reply.status, reply.body.data], [200, { id, revoked: true }]);
      assert.equal((await use('GET', '/v1/workspaces', undefined, withKey(secret_key))).status, 401);
    });

    it('2 a confined key may leave workspace_id out, and sees its workspace alone', async () => {
      const ids = await Promise.all(
        ['one', 'two'].map(
          async (name) => dataOf<{ id: string }>((await use('POST', '/v1/workspaces', { name })).body).id,
        ),
      );
      const [workspace_id] = ids;
      const wanted = { name: 'confined', scopes: ['*'], workspace_id };
      const { secret_key } = dataOf<{ secret_key: string }>(
        (await use('POST', '/v1/auth/api-keys', wanted)).body,
      );
      const listed = await use('GET', '/v1/workspaces', undefined, withKey(secret_key));
      assert.deepEqual(
        dataOf<{ items: { id: string }[] }>(listed.body).items.map(({ id }) => id),
        [workspace_id],
      );
      const project = await use('POST', '/v1/projects', { name: 'p' }, withKey(secret_key));
      assert.deepEqual([project.status, project.body.data?.['workspace_id']], [201, workspace_id]);
    });
  });
});

describe('contract.md 2: auth.registration', () => {
  for (const [registration, expected] of [
    ['open', 201],
    ['invite', 403],
    ['closed', 403],
  ] as const) {
    it(`2 ${registration}: the first account needs the set-up token and administrates; the next is ${expected}`, async () => {
      const service = await startHosted({ auth: { registration } });
      try {
        const register = (email: string, more: object = {}) =>
          send(service.url, 'POST', '/v1/auth/register', { body: { email, password: PASSWORD, ...more } });
        assert.equal((await register('first@example.com')).status, 403);
        const first = await register('first@example.com', { setup_token: SETUP_TOKEN });
        assert.equal(first.status, 201);
        const token = dataOf<Granted>(first.body).access_token;
        const invite = (email: string) =>
          send(service.url, 'POST', '/v1/auth/invitations', { body: { email }, headers: bearer(token) });
        const invitation = await invite('second@example.com');
        const invites = registration === 'closed' ? 409 : 201;
        assert.equal(invitation.status, invites, 'who came first is the administrator');
        assert.equal((await register('third@example.com')).status, expected);
        if (registration === 'closed') return;
        const invited = await register('second@example.com', { invitation: invitation.body.data?.['token'] });
        assert.equal(invited.status, 201);
      } finally {
        await service.stop();
      }
    });
  }
});
