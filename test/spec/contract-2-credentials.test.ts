import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { SignJWT } from 'jose';
import { bearer, startHosted, type Account, type Hosted } from '../security/start-hosted.js';
import { Application, Browser, type Granted } from '../security/oauth-browser.js';
import { dataOf, send } from './http.js';

const JWT_SECRET = randomBytes(48).toString('base64');

type Headers = Readonly<Record<string, string>>;

describe('contract.md 2: which credential', () => {
  let service: Hosted;
  let ann: Account;
  let bob: Account;
  let granted: Granted;
  before(async () => {
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
