import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { LOCAL_OWNER } from '@service-mcp/core';
import { serveGateway, type Served } from '../gateway/support/serve-gateway.js';
import { startHosted, type Hosted } from '../gateway/support/restartable-service.js';
import { startService } from '../start-service.js';

const SECRET = randomBytes(48).toString('base64url');
const OPEN = [
  '/health',
  '/api/v1/health',
  '/metrics',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
];
const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'a program', version: '1' },
};

describe('interface.md 5.4: the local gateway', () => {
  let service: Hosted;
  let running: Served[] = [];
  const gatewayWith = async (env: Record<string, string>) => {
    const served = await serveGateway({ SERVICE_API_URL: service.url, ...env });
    running.push(served);
    return served;
  };
  before(async () => {
    service = await startHosted({ SERVICE_JWT_SECRET: SECRET });
  });
  afterEach(async () => {
    for (const served of running) await served.stop();
    running = [];
  });
  after(() => service.stop());

  const jwt = (secret: string, claims: object = {}, alg = 'HS256') =>
    new SignJWT({ sub: LOCAL_OWNER.userId, ...claims })
      .setProtectedHeader({ alg })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(secret));

  it('authentication is off by default: callers without a credential use the key of the gateway', async () => {
    const gateway = await gatewayWith({ SERVICE_API_KEY: service.key });
    const { status, body } = await gateway.post('/api/v1/tools/auth_me', {});
    assert.equal(status, 200);
    assert.equal(body.structuredContent.id, LOCAL_OWNER.userId);
    assert.equal(body.structuredContent.credential.kind, 'api_key');
  });

  it('without a key of its own, the service authenticates, and the 401 says where to log in', async () => {
    const gateway = await gatewayWith({});
    for (const method of ['initialize', 'tools/list']) {
      const { status, headers } = await gateway.ask(method, method === 'initialize' ? INITIALIZE : {});
      assert.equal(status, 401, method);
      assert.equal(
        headers.get('www-authenticate'),
        `Bearer resource_metadata="${gateway.url}/.well-known/oauth-protected-resource"`,
      );
    }
    const { headers } = await fetch(`${gateway.url}/mcp`, { method: 'HEAD' });
    assert.equal(
      headers.get('www-authenticate'),
      `Bearer resource_metadata="${gateway.url}/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  it('MCP_HTTP_REQUIRE_AUTH=true asks for a credential on every route but the open ones', async () => {
    const gateway = await gatewayWith({ MCP_HTTP_REQUIRE_AUTH: 'true', SERVICE_API_KEY: service.key });
    for (const path of OPEN) assert.equal((await gateway.get(path)).status, 200, path);
    for (const path of ['/mcp', '/agent-a', '/agent-b', '/client']) {
      for (const method of ['initialize', 'ping', 'tools/list']) {
        const { status, headers } = await gateway.ask(method, {}, {}, path);
        assert.equal(status, 401, `${path} ${method}`);
        assert.match(headers.get('www-authenticate') ?? '', /^Bearer resource_metadata="http/);
      }
    }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const closed = [
      await gateway.post('/api/v1/rpc', message),
      await gateway.post('/api/v1/initialize', {}),
      await gateway.get('/api/v1/tools/list'),
      await gateway.post('/api/v1/tools/call', { name: 'help' }),
      await gateway.post('/api/v1/tools/help', {}),
      await gateway.get('/api/v1/stream'),
    ];
    for (const { status } of closed) assert.equal(status, 401);
  });

  it('a required credential adds no TLS: the gateway speaks plain HTTP, for a proxy to end TLS before it', async () => {
    const gateway = await gatewayWith({ MCP_HTTP_REQUIRE_AUTH: 'true' });
    assert.equal(new URL(gateway.url).protocol, 'http:');
    assert.equal((await gateway.get('/health')).status, 200);
    await assert.rejects(fetch(gateway.url.replace('http:', 'https:')));
  });

  it('takes a good credential in each of the four headers, and passes it on as it came', async () => {
    const gateway = await gatewayWith({ MCP_HTTP_REQUIRE_AUTH: 'true' });
    const headers: ReadonlyArray<Record<string, string>> = [
      { 'x-service-api-key': service.key },
      { 'x-api-key': service.key },
      { authorization: `Bearer ${service.key}` },
      { 'x-service-jwt': await jwt(SECRET) },
      { authorization: `Bearer ${await jwt(SECRET)}` },
    ];
    for (const credential of headers) {
      const opened = await gateway.ask('initialize', INITIALIZE, credential);
      assert.equal(opened.status, 200, JSON.stringify(Object.keys(credential)));
      const { body } = await gateway.post('/api/v1/tools/auth_me', {}, credential);
      assert.equal(body.structuredContent.id, LOCAL_OWNER.userId);
    }
  });

  it('refuses a bad credential with 401 in every header, also for requests that it answers itself', async () => {
    const gateway = await gatewayWith({ MCP_HTTP_REQUIRE_AUTH: 'true', SERVICE_API_KEY: service.key });
    const headers: ReadonlyArray<Record<string, string>> = [
      { 'x-service-api-key': 'wrong' },
      { 'x-api-key': 'svc_live_000000000000000000000000000000000000000000000000' },
      { authorization: 'Bearer wrong' },
      { authorization: 'Basic d3Jvbmc6d3Jvbmc=' },
      { authorization: 'Bearer' },
      { 'x-service-jwt': 'a.b.c' },
      { 'x-service-jwt': await jwt(randomBytes(48).toString('hex')) },
      { 'x-service-api-key': `${service.key} ${service.key}` },
    ];
    for (const credential of headers) {
      for (const [method, params] of [
        ['ping', {}],
        ['initialize', INITIALIZE],
        ['tools/list', {}],
      ] as const) {
        const { status, headers: answered } = await gateway.ask(method, params, credential);
        assert.equal(status, 401, JSON.stringify(credential));
        assert.match(answered.get('www-authenticate') ?? '', /error="invalid_token"/);
      }
    }
  });

  it('refuses credentials of two people, as the service does', async () => {
    const gateway = await gatewayWith({});
    const other = await service.post('/v1/auth/register', {
      email: 'other@example.com',
      password: 'correct horse battery',
    });
    const { data } = (await other.json()) as { data: { access_token: string } };
    const both = { 'x-service-api-key': service.key, authorization: `Bearer ${data.access_token}` };
    const { status, body } = await gateway.post('/api/v1/tools/help', {}, both);
    assert.equal(status, 401);
    assert.match(body.error.message, /two people/);
  });

  it('refuses what nobody verifies with 401: before a service with one owner, all but the JWTs that it verifies', async () => {
    const alone = await startService();
    try {
      const env = { SERVICE_API_URL: alone.url, MCP_HTTP_REQUIRE_AUTH: 'true' };
      const gateway = await gatewayWith(env);
      const signed = { 'x-service-jwt': await jwt(SECRET) };
      for (const given of [{ 'x-api-key': 'anything' }, { authorization: 'Bearer anything' }, signed]) {
        const { status, body } = await gateway.post('/api/v1/tools/workspaces_list', {}, given);
        assert.equal(status, 401, JSON.stringify(given));
        assert.match(body.error.message, /keeps no accounts[^]*SERVICE_JWT_SECRET/);
        const { status: ofMcp, headers } = await gateway.ask('tools/list', {}, given);
        assert.equal(ofMcp, 401);
        assert.match(headers.get('www-authenticate') ?? '', /error="invalid_token"/);
      }
      const verifying = await gatewayWith({ ...env, SERVICE_JWT_SECRET: SECRET });
      const statusFor = async (given: Record<string, string>) =>
        (await verifying.post('/api/v1/tools/workspaces_list', {}, given)).status;
      assert.equal(await statusFor(signed), 200);
      assert.equal(await statusFor({ 'x-service-jwt': await jwt('x'.repeat(64)) }), 401);
      assert.equal(await statusFor({ 'x-api-key': 'anything' }), 401);
    } finally {
      await alone.stop();
    }
  });

  it('asks whether the service rejects bad credentials through a gateway with a key of its own, too', async () => {
    const middle = await gatewayWith({ SERVICE_API_KEY: service.key });
    const gateway = await gatewayWith({ SERVICE_API_URL: middle.url, MCP_HTTP_REQUIRE_AUTH: 'true' });
    const statusFor = async (key: string) =>
      (await gateway.post('/api/v1/tools/help', {}, { 'x-api-key': key })).status;
    assert.deepEqual([await statusFor(service.key), await statusFor('wrong')], [200, 401]);
  });

  it('a revoked key ends at once for calls, and within half a minute for requests that the gateway answers itself', async () => {
    const gateway = await gatewayWith({ MCP_HTTP_REQUIRE_AUTH: 'true' });
    const { id, key } = await service.makeKey('to be revoked');
    const credential = { 'x-service-api-key': key };
    assert.equal((await gateway.post('/api/v1/tools/help', {}, credential)).status, 200);
    const gone = await fetch(`${service.url}/v1/auth/api-keys/${id}`, {
      method: 'DELETE',
      headers: { 'x-service-api-key': service.key },
    });
    assert.equal(gone.status, 200);
    assert.equal((await gateway.post('/api/v1/tools/help', {}, credential)).status, 401);
  });

  it('verifies JWTs itself only with a strong secret, and says so', async () => {
    const without = await gatewayWith({});
    assert.equal((await without.get('/health')).body.jwt_verification, 'upstream');
    const gateway = await gatewayWith({ SERVICE_JWT_SECRET: SECRET });
    assert.equal((await gateway.get('/health')).body.jwt_verification, 'local');
    assert.equal(
      (await gateway.post('/api/v1/tools/help', {}, { 'x-service-jwt': await jwt(SECRET) })).status,
      200,
    );
    await assert.rejects(gatewayWith({ SERVICE_JWT_SECRET: 'secret' }), { name: 'BootError' });
  });

  it('refuses a forged JWT without asking the service, whatever makes it bad', async () => {
    const gateway = await gatewayWith({ SERVICE_JWT_SECRET: SECRET });
    const unsigned = [{ alg: 'none' }, { sub: LOCAL_OWNER.userId, exp: 9_999_999_999 }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const key = new TextEncoder().encode(SECRET);
    const forever = await new SignJWT({ sub: LOCAL_OWNER.userId })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(key);
    const nobody = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('5m')
      .sign(key);
    const over = await new SignJWT({ sub: LOCAL_OWNER.userId })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(Math.floor(Date.now() / 1000) - 60)
      .sign(key);
    const bad = [
      `${unsigned}.`,
      forever,
      nobody,
      over,
      await jwt(SECRET, {}, 'HS384'),
      await jwt('x'.repeat(64)),
      'a.b.c',
    ];
    for (const one of bad) {
      // A ping is answered by the gateway alone.
      for (const credential of [{ 'x-service-jwt': one }, { authorization: `Bearer ${one}` }]) {
        assert.equal((await gateway.ask('ping', {}, credential)).status, 401, one);
      }
    }
    assert.equal((await gateway.ask('ping', {}, { 'x-service-jwt': await jwt(SECRET) })).status, 200);
  });

  it('a proxy on this machine that does not say for whom it asks makes no client one of this machine', async () => {
    for (const trusted of ['', 'loopback']) {
      const gateway = await gatewayWith({ SERVICE_API_KEY: service.key, SERVICE_TRUSTED_PROXIES: trusted });
      const ask = (headers: Record<string, string>) => gateway.post('/api/v1/tools/auth_me', {}, headers);
      assert.equal((await ask({})).status, 200);
      for (const header of ['x-forwarded-proto', 'x-real-ip', 'via', 'forwarded'])
        assert.equal((await ask({ [header]: '203.0.113.9' })).status, 403, `${header} ${trusted}`);
      const local = await ask({ 'x-forwarded-for': '127.0.0.1' });
      assert.equal(local.status, trusted === '' ? 403 : 200); // any client could have forged it
    }
  });

  it('a client behind a proxy counts as another machine, refused unless the operator allows it', async () => {
    const remote = { 'x-forwarded-for': '203.0.113.9' };
    const env = { SERVICE_API_KEY: service.key, SERVICE_TRUSTED_PROXIES: 'loopback' };
    const closed = await gatewayWith(env);
    const { status, body } = await closed.post('/api/v1/tools/help', {}, remote);
    assert.equal(status, 403);
    assert.equal(body.error.code, 'PERMISSION_DENIED');
    assert.match(body.error.message, /MCP_HTTP_REQUIRE_AUTH[^]*MCP_HTTP_ALLOW_REMOTE/);
    const withKey = await closed.post(
      '/api/v1/tools/help',
      {},
      { ...remote, 'x-service-api-key': service.key },
    );
    assert.equal(withKey.status, 403);
    assert.equal((await closed.get('/health', remote)).status, 200);
    const allowed = await gatewayWith({ ...env, MCP_HTTP_ALLOW_REMOTE: 'true' });
    assert.equal((await allowed.post('/api/v1/tools/help', {}, remote)).status, 200);
    const asking = await gatewayWith({ ...env, MCP_HTTP_REQUIRE_AUTH: 'true' });
    assert.equal((await asking.post('/api/v1/tools/help', {}, remote)).status, 401);
    const own = { ...remote, 'x-service-api-key': service.key };
    assert.equal((await asking.post('/api/v1/tools/help', {}, own)).status, 200);
  });

  it('refuses a foreign Host and a foreign page', async () => {
    const gateway = await gatewayWith({ SERVICE_API_KEY: service.key });
    const foreign = await gateway.post('/api/v1/tools/help', {}, { origin: 'https://evil.example' });
    assert.equal(foreign.status, 403);
    const plain = await gateway.post('/mcp', '{}', { 'content-type': 'text/plain' });
    assert.equal(plain.status, 415);
  });
});
