import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { SignJWT } from 'jose';
import { eachDatabase } from '@service-mcp/core/testing';
import { bearer, startHosted, withKey, type Account, type Hosted } from '../security/hosted.js';
import { PASSWORD } from '../security/team.js';
import { Application, Browser, type Granted } from '../security/visit.js';
import { PAGE_FIELDS, RFC3339_MS, UUIDV7, dataOf, issuePath, send } from './http.js';

const JWT_SECRET = randomBytes(48).toString('base64');
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
    before(async function () {
      this.timeout(30_000);
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

describe('contract.md 2: which credential', () => {
  let service: Hosted;
  let ann: Account;
  let bob: Account;
  let granted: Granted;
  before(async function () {
    this.timeout(30_000);
    service = await startHosted({ auth: { jwt_secret: JWT_SECRET } });
    [ann, bob] = [await service.account('ann'), await service.account('bob')];
    const browser = new Browser(service.url);
    await browser.signIn(ann.email);
    granted = await (await new Application(service.url).register()).tokens(browser);
  });
  after(() => service.stop());

  const me = (headers: Headers) => send(service.url, 'GET', '/v1/auth/me', { headers });
  const kindOf = async (headers: Headers) =>
    dataOf<{ credential: { kind: string; key_id?: string } }>((await me(headers)).body).credential;
  const jwt = (claims: Record<string, unknown>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(JWT_SECRET));
  const soon = () => Math.floor(Date.now() / 1000) + 300;

  it('2 the order is X-Service-API-Key, X-API-Key, X-Service-JWT, Authorization, cookie', async () => {
    const second = await service.key({ id: ann.id, email: ann.email, key: ann.key });
    const browser = new Browser(service.url);
    await browser.signIn(ann.email);
    const token = await jwt({ sub: ann.id, exp: soon() });
    const all: [string, string, string][] = [
      ['x-service-api-key', second.secret_key, 'api_key'],
      ['x-api-key', ann.key, 'api_key'],
      ['x-service-jwt', token, 'jwt'],
      ['authorization', `Bearer ${ann.access_token}`, 'session'],
      ['cookie', browser.cookie, 'session'],
    ];
    for (let from = 0; from < all.length; from++) {
      const sent = Object.fromEntries(all.slice(from).map(([name, value]) => [name, value]));
      assert.equal((await kindOf(sent)).kind, all[from]?.[2], `from ${all[from]?.[0]}`);
    }
    const everything = Object.fromEntries(all.map(([name, value]) => [name, value]));
    assert.equal((await kindOf(everything)).key_id, second.id);
  });

  it('2 two that name different identities are 401', async () => {
    for (const headers of [
      { 'x-service-api-key': ann.key, 'x-api-key': bob.key },
      { 'x-service-api-key': ann.key, ...bearer(bob.access_token) },
      { ...bearer(ann.key), 'x-service-jwt': await jwt({ sub: bob.id, exp: soon() }) },
    ])
      assert.equal((await me(headers)).status, 401, Object.keys(headers).join());
  });

  it('2 a JWT is HS256 with sub and exp required', async () => {
    assert.equal((await me({ 'x-service-jwt': await jwt({ sub: ann.id, exp: soon() }) })).status, 200);
    for (const claims of [
      { sub: ann.id },
      { exp: soon() },
      { sub: ann.id, exp: 1 },
      { sub: 'ann', exp: soon() },
    ])
      assert.equal((await me({ 'x-service-jwt': await jwt(claims) })).status, 401, JSON.stringify(claims));
    const other = await new SignJWT({ sub: ann.id, exp: soon() })
      .setProtectedHeader({ alg: 'HS512' })
      .sign(Buffer.from(JWT_SECRET.padEnd(64, 'x')));
    assert.equal((await me({ 'x-service-jwt': other })).status, 401);
  });

  it('2 an OAuth access token is bound to the MCP resource and refused on /v1', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const headers = { accept: 'application/json, text/event-stream', ...bearer(granted.access_token) };
    assert.equal((await send(service.url, 'POST', '/mcp', { body, headers })).status, 200);
    for (const path of ['/v1/auth/me', '/v1/workspaces', '/api/v1/workspaces', '/api/v1/tools/list']) {
      const reply = await send(service.url, 'GET', path, { headers: bearer(granted.access_token) });
      assert.equal(reply.status, 401, path);
    }
    const rpc = await send(service.url, 'POST', '/api/v1/rpc', { body, headers });
    assert.equal(rpc.status, 401);
  });

  it('2 key format: svc_live_ + 10 + 32 + 6 characters of base62, the last a checksum; masked when listed', async () => {
    assert.match(ann.key, /^svc_live_[0-9A-Za-z]{48}$/);
    const body = ann.key.slice(0, -6);
    assert.equal(ann.key.slice(-6), base62(crc32(body)));
    const listed = await send(service.url, 'GET', '/v1/auth/api-keys', { headers: bearer(ann.key) });
    for (const { prefix, masked_key } of dataOf<{ items: Record<string, string>[] }>(listed.body).items) {
      assert.match(String(prefix), /^svc_live_[0-9A-Za-z]{10}$/);
      assert.equal(masked_key, `${prefix}****`);
    }
  });

  it('2 open without a credential: health, ready, discovery, login, refresh, pages, the API page', async () => {
    for (const path of [
      '/health',
      '/ready',
      '/openapi.json',
      '/docs',
      '/oauth/login',
      '/.well-known/openid-configuration',
      '/api/v1/oauth/jwks',
    ]) {
      const { status } = await fetch(`${service.url}${path}`);
      assert.equal(status, 200, path);
    }
    for (const [path, expected] of [
      ['/v1/auth/login', 400],
      ['/v1/auth/refresh', 400],
      ['/v1/auth/register', 400],
    ] as const)
      assert.equal((await send(service.url, 'POST', path, { body: {} })).status, expected, path);
  });

  it('2 /metrics is open on a loopback bind', async () => {
    assert.equal((await fetch(`${service.url}/metrics`)).status, 200); // elsewhere: core/test/origins.test.ts
  });
});

function base62(number: number): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  for (let rest = number; text.length < 6; rest = Math.floor(rest / 62))
    text = `${alphabet[rest % 62]}${text}`;
  return text;
}

describe('contract.md 2: auth.registration', () => {
  for (const [registration, expected] of [
    ['open', 201],
    ['invite', 403],
    ['closed', 403],
  ] as const) {
    it(`2 ${registration}: the first account is always allowed and administrates; the next is ${expected}`, async () => {
      const service = await startHosted({ auth: { registration } });
      try {
        const register = (email: string, more: object = {}) =>
          send(service.url, 'POST', '/v1/auth/register', { body: { email, password: PASSWORD, ...more } });
        const first = await register('first@example.com');
        assert.equal(first.status, 201);
        const token = dataOf<Granted>(first.body).access_token;
        const invite = (email: string) =>
          send(service.url, 'POST', '/v1/auth/invitations', { body: { email }, headers: bearer(token) });
        const invitation = await invite('second@example.com');
        assert.equal(invitation.status, 201, 'who came first is the administrator');
        assert.equal((await register('third@example.com')).status, expected);
        const invited = await register('second@example.com', { invitation: invitation.body.data?.['token'] });
        assert.equal(invited.status, registration === 'closed' ? 403 : 201);
      } finally {
        await service.stop();
      }
    });
  }
});
