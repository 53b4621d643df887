import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { request } from 'node:http';
import { LOCAL_OWNER } from '@service-mcp/core';
import { HOSTED_DEPLOYMENT } from '../../start-service.js';
import { startHosted, type Hosted } from '../../gateway/support/restartable-service.js';
import { environment, run, type Running } from '../../gateway/support/run-until-ended.js';
import { BINARY } from '../../command.js';

interface Told {
  readonly url: string;
  readonly mcp: string;
  readonly rpc: string;
  readonly upstream: string;
  readonly authentication: string;
  readonly key: string | null;
}

describe('gateway: service-mcp http', function () {
  let service: Hosted;
  const running: Array<Running<Told>> = [];
  before(async () => {
    service = await startHosted();
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.end();
  });
  after(() => service.stop());

  async function http(env: Record<string, string>, ...args: string[]): Promise<Running<Told>> {
    const gateway = await run<Told>(['http', '--port', '0', ...args], {
      SERVICE_API_URL: service.url,
      ...env,
    });
    running.push(gateway);
    return gateway;
  }

  const call = (url: string, tool: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/v1/tools/${tool}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });

  it('prints its addresses once, and stops cleanly on a signal', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const gateway = await http({ SERVICE_API_KEY: service.key }, '--host', '127.0.0.1');
      const { url, mcp, rpc, upstream, authentication, key } = gateway.told;
      assert.deepEqual(
        { mcp, rpc, upstream, authentication, key },
        {
          mcp: `${url}/mcp`,
          rpc: `${url}/api/v1/rpc`,
          upstream: service.url,
          authentication: 'off',
          key: 'SERVICE_API_KEY',
        },
      );
      assert.equal((await call(url, 'help')).status, 200);
      assert.doesNotMatch(gateway.errors(), /WARNING/);
      assert.equal(await gateway.end(signal), 0);
    }
  });

  it('takes the stored key of the address, and prints where it is', async () => {
    const gateway = await http({ XDG_CONFIG_HOME: service.configHome }, '--host', '127.0.0.1');
    assert.match(gateway.told.key ?? '', /credentials\.json$/);
    const me = (await (await call(gateway.told.url, 'auth_me')).json()) as {
      structuredContent: { id: string };
    };
    assert.equal(me.structuredContent.id, LOCAL_OWNER.userId);
  });

  it('binds every address by default, warns in several lines, and serves this machine alone', async () => {
    const gateway = await http({ SERVICE_API_KEY: service.key });
    const warning = gateway
      .errors()
      .split('\n')
      .filter((line) => /^(?:WARNING| {2})/.test(line));
    assert.ok(warning.length >= 4, gateway.errors());
    assert.match(
      warning.join('\n'),
      /^WARNING: authentication is off[^]*MCP_HTTP_REQUIRE_AUTH=true[^]*--host 127/,
    );
    assert.equal((await call(gateway.told.url, 'help')).status, 200);

    const address = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
    assert.ok(address, 'needs an IPv4 address other than 127.0.0.1: connect the machine to a network');
    const { port } = new URL(gateway.told.url);
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const asking = request(
        {
          host: address,
          port,
          method: 'POST',
          path: '/api/v1/tools/help',
          headers: {
            host: `127.0.0.1:${port}`,
            'content-type': 'application/json',
            'x-service-api-key': service.key,
          },
        },
        (res) => {
          let text = '';
          res.on('data', (part: Buffer) => (text += part.toString()));
          res.on('end', () => resolve({ status: res.statusCode ?? 0, text }));
        },
      );
      asking.on('error', reject).end('{}');
    });
    assert.equal(answer.status, 403, answer.text);
    assert.match(answer.text, /PERMISSION_DENIED[^]*MCP_HTTP_ALLOW_REMOTE/);
  });

  it('with authentication required it does not warn, and says so', async () => {
    const gateway = await http({ MCP_HTTP_REQUIRE_AUTH: 'true' });
    assert.equal(gateway.told.authentication, 'required');
    assert.doesNotMatch(gateway.errors(), /WARNING/);
    assert.equal((await call(gateway.told.url, 'help')).status, 401);
    assert.equal((await call(gateway.told.url, 'help', { 'x-api-key': service.key })).status, 200);
  });

  it('neither log nor metrics hold a credential, whatever goes wrong', async () => {
    const env = { SERVICE_API_KEY: service.key, SERVICE_LOG_LEVEL: 'debug' };
    const gateway = await http(env, '--host', '127.0.0.1');
    const { url } = gateway.told;
    const secrets = ['svc_live_mistyped-secret-0001', 'a-secret-bearer-of-somebody', 'x.secret-claims.y'];
    await call(url, 'help', { 'x-service-api-key': secrets[0] ?? '' });
    await call(url, 'help', { authorization: `Bearer ${secrets[1]}` });
    await call(url, 'help', { 'x-service-jwt': secrets[2] ?? '' });
    await call(url, `help?api_key=${secrets[1]}`);
    await service.kill();
    for (const secret of [...secrets, service.key]) await call(url, 'auth_me', { 'x-api-key': secret });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    await service.start();
    await gateway.end();
    for (const secret of [...secrets, service.key]) {
      assert.ok(!gateway.errors().includes(secret), `the log holds ${secret}: ${gateway.errors()}`);
      assert.ok(!metrics.includes(secret));
    }
  });

  const refusals: ReadonlyArray<readonly [string, Record<string, string>, string[], RegExp]> = [
    [
      'a weak secret',
      { SERVICE_JWT_SECRET: 'secret' },
      [],
      /SERVICE_JWT_SECRET[^]*has 6 bytes[^]*openssl rand/,
    ],
    ['a malformed address', { SERVICE_API_URL: 'nowhere' }, [], /SERVICE_API_URL/],
    ['the address of an endpoint', { SERVICE_API_URL: 'http://127.0.0.1:8080/mcp' }, [], /MCP endpoint/],
    ['a key with spaces', { SERVICE_API_KEY: 'a key' }, [], /SERVICE_API_KEY/],
    ['neither true nor false', { MCP_HTTP_REQUIRE_AUTH: 'yes' }, [], /MCP_HTTP_REQUIRE_AUTH/],
    [
      'a deployment of a service',
      {},
      ['--config', HOSTED_DEPLOYMENT],
      /reaches another service[^]*service-mcp serve/,
    ],
  ];
  for (const [what, env, args, message] of refusals) {
    it(`${what} refuses to start, with what to do`, async () => {
      const { code, errors } = await refused(env, args);
      assert.equal(code, 1);
      assert.match(errors, message);
      assert.doesNotMatch(errors, /\n\s+at /, 'a stack');
    });
  }

  it('a port in use refuses to start, with what to do', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, errors } = await refused({}, ['--host', '127.0.0.1', '--port', String(port)]);
    assert.equal(code, 1);
    assert.match(errors, /another process listens there[^]*--port/);
    taken.close();
  });
});

async function refused(env: Record<string, string>, args: readonly string[]) {
  const child = spawn(process.execPath, [BINARY, 'http', ...args], {
    env: environment({ SERVICE_API_URL: 'http://127.0.0.1:1', ...env }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, errors };
}
