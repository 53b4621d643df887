import assert from 'node:assert/strict';
import { request, type IncomingHttpHeaders } from 'node:http';
import { defineRoutes, defineTransport } from '@service-mcp/core';
import { peopleNamed, testHost, type TestHost } from '@service-mcp/core/testing';
import { demo, echo } from './fixtures.js';

/** Answers with the server's view of the request. */
const mirror = defineTransport({
  id: 'mirror',
  description: 'For tests.',
  api: '^1',
  mount({ http }) {
    http.router.get('/peer', (ctx) => {
      ctx.body = { peer: http.peer(ctx), protocol: ctx.protocol, host: ctx.host, origins: http.origins() };
    });
    http.openToLoopback('/endpoint');
    http.router.get('/endpoint', async (ctx) => {
      ctx.body = { name: (await http.call(ctx, 'mcp')).caller.name };
    });
    http.router.get('/who', async (ctx) => {
      const options = ctx.query['open'] === '1' ? { anonymous: true } : {};
      const { caller } = await http.call(ctx, 'rest', options);
      ctx.body = { kind: caller.kind, name: caller.name };
    });
  },
});
/** A document for everyone, as a plugin's own routes hang it. */
const openDocument = defineRoutes({
  uses: {},
  mount(http) {
    http.openTo('/open');
    http.router.get('/open', (ctx) => {
      ctx.set('Cache-Control', 'public, max-age=300');
      ctx.body = { open: true };
    });
  },
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

function ask(
  host: TestHost,
  path: string,
  headers: Record<string, string | string[]> = {},
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`http://127.0.0.1:${host.address?.port}${path}`, { headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    sent.on('error', reject).end();
  });
}

const start = (server: object) =>
  testHost({
    plugins: [demo([echo()], { routes: [openDocument] }), peopleNamed('ann')],
    transports: [mirror],
    config: { server },
  });

describe('origins, hosts and proxies', () => {
  const split = {
    base_url: 'https://api.example.com',
    mcp_url: 'https://mcp.example.com/',
    web_url: 'https://app.example.com:8443',
  };

  describe('behind a trusted proxy', () => {
    let host: TestHost;
    before(async () => {
      host = await start({ ...split, trusted_proxies: ['loopback', '10.0.0.0/8'] });
    });
    after(() => host.stop());
    const from = 'api.example.com';

    it('has three origins, and serves their hosts alone', async () => {
      const { body } = await ask(host, '/peer', { host: from });
      assert.deepEqual(body['origins'], {
        base: 'https://api.example.com',
        mcp: 'https://mcp.example.com',
        web: 'https://app.example.com:8443',
      });
      for (const name of ['mcp.example.com', 'app.example.com:8443', 'API.example.com'])
        assert.equal((await ask(host, '/peer', { host: name })).status, 200, name);
      for (const name of ['app.example.com', 'evil.example', 'api.example.com.evil'])
        assert.equal((await ask(host, '/peer', { host: name })).status, 421, name);
      assert.equal((await ask(host, '/peer', { host: '[' })).status, 400);
    });

    it('takes client, scheme and host from the headers of the proxy', async () => {
      const { body } = await ask(host, '/peer', {
        host: '127.0.0.1',
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': from,
      });
      assert.deepEqual([body['peer'], body['protocol'], body['host']], ['203.0.113.9', 'https', from]);
    });

    it('takes the address next to the last trusted hop, not the one that a client claims', async () => {
      const { body } = await ask(host, '/peer', {
        host: from,
        'x-forwarded-for': '1.1.1.1, 203.0.113.9, 10.1.2.3',
      });
      assert.equal(body['peer'], '203.0.113.9');
    });

    it('reads IPv4 over IPv6, and survives nonsense', async () => {
      const peerOf = async (text: string) =>
        (await ask(host, '/peer', { host: from, 'x-forwarded-for': text })).body['peer'];
      assert.equal(await peerOf('203.0.113.9, ::ffff:10.0.0.7'), '203.0.113.9');
      assert.equal(await peerOf('203.0.113.9:50123, [::ffff:10.0.0.7]:443'), '203.0.113.9'); // as some proxies write
      assert.equal(await peerOf('[2001:db8::9]:50123'), '2001:db8::9');
      assert.equal(await peerOf('<script>'), '<script>'); // no address, so never a trusted one
      assert.equal(await peerOf(', ,'), '127.0.0.1');
      const { body } = await ask(host, '/peer', { host: from, 'x-forwarded-proto': 'javascript' });
      assert.equal(body['protocol'], 'http');
    });

    it('refuses a forwarded host that is not its own', async () => {
      const { status } = await ask(host, '/peer', { host: from, 'x-forwarded-host': 'evil.example' });
      assert.equal(status, 421);
    });
  });

  describe('without a trusted proxy', () => {
    let host: TestHost;
    before(async () => {
      host = await start({ web_url: 'http://app.example.com' });
    });
    after(() => host.stop());

    it('ignores forwarding headers', async () => {
      const { body } = await ask(host, '/peer', {
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'evil.example',
        forwarded: 'for=203.0.113.9;host=evil.example',
      });
      const local = `127.0.0.1:${host.address?.port}`;
      assert.deepEqual([body['peer'], body['protocol'], body['host']], ['127.0.0.1', 'http', local]);
      assert.equal((body['origins'] as { base: string }).base, `http://${local}`);
    });

    it('lets its own pages read answers, with cookies', async () => {
      const { status, headers } = await ask(host, '/peer', { origin: 'http://app.example.com' });
      assert.equal(status, 200);
      assert.equal(headers['access-control-allow-origin'], 'http://app.example.com');
      assert.equal(headers['access-control-allow-credentials'], 'true');
      assert.match(headers['access-control-expose-headers'] ?? '', /WWW-Authenticate/);
    });

    it('lets pages of its own address call it by each name of this machine', async () => {
      const port = host.address?.port;
      for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
        const own = { host: `${name}:${port}`, origin: `http://${name}:${port}` };
        assert.equal((await ask(host, '/peer', own)).status, 200, name);
        const other = await ask(host, '/peer', { origin: `http://${name}:${port}` });
        assert.equal(other.headers['access-control-allow-origin'], `http://${name}:${port}`);
      }
    });

    it('lets pages of other ports of this machine call endpoints for programs alone, without cookies', async () => {
      for (const origin of ['http://localhost:3000', 'http://127.0.0.1', 'https://[::1]:1']) {
        const refused = await ask(host, '/peer', { origin, authorization: 'Bearer ann' });
        assert.equal(refused.status, 403, origin);
        assert.equal(refused.headers['access-control-allow-origin'], undefined);
        assert.match((refused.body['error'] as { message: string }).message, /loopback_pages/);
        const served = await ask(host, '/endpoint', { origin, authorization: 'Bearer ann' });
        assert.deepEqual([served.status, served.body], [200, { name: 'ann' }]);
        assert.equal(served.headers['access-control-allow-origin'], origin);
        assert.equal(served.headers['access-control-allow-credentials'], undefined);
        assert.equal((await ask(host, '/endpoint', { origin })).status, 401);
        const preflight = { origin, 'access-control-request-method': 'POST' };
        assert.equal((await ask(host, '/peer', preflight, 'OPTIONS')).status, 403);
        assert.equal((await ask(host, '/endpoint', preflight, 'OPTIONS')).status, 204);
      }
    });

    it('refuses foreign pages, except on open routes', async () => {
      for (const origin of ['https://evil.example', 'null', 'http://app.example.com.evil']) {
        const { status, headers } = await ask(host, '/peer', { origin });
        assert.equal(status, 403, origin);
        assert.equal(headers['access-control-allow-origin'], undefined);
      }
      const { status, headers } = await ask(host, '/open', { origin: 'https://evil.example' });
      assert.equal(status, 200);
      assert.equal(headers['access-control-allow-origin'], 'https://evil.example');
      assert.equal(headers['access-control-allow-credentials'], undefined);
      for (const path of ['/open/', '/open/../peer', '/Open'])
        assert.notEqual((await ask(host, path, { origin: 'https://evil.example' })).status, 200, path);
    });

    it('answers a preflight of a page it lets through, and of no other', async () => {
      const preflight = { 'access-control-request-method': 'POST' };
      const own = await ask(host, '/peer', { origin: 'http://app.example.com', ...preflight }, 'OPTIONS');
      assert.equal(own.status, 204);
      assert.match(own.headers['access-control-allow-methods'] ?? '', /PATCH/);
      const foreign = await ask(host, '/peer', { origin: 'https://evil.example', ...preflight }, 'OPTIONS');
      assert.equal(foreign.status, 403);
    });

    it('is not cacheable, unless a route allows it', async () => {
      for (const path of ['/who', '/peer', '/nothing'])
        assert.equal(
          (await ask(host, path, { authorization: 'Bearer ann' })).headers['cache-control'],
          'no-store',
        );
      assert.equal((await ask(host, '/open')).headers['cache-control'], 'public, max-age=300');
    });

    it('asks for a credential, unless a route is open', async () => {
      const refused = await ask(host, '/who');
      assert.equal(refused.status, 401);
      assert.equal(refused.headers['www-authenticate'], 'Bearer');
      assert.deepEqual((await ask(host, '/who?open=1')).body, { kind: 'anonymous', name: 'anonymous' });
      assert.equal((await ask(host, '/who', { authorization: 'Bearer ann' })).body['name'], 'ann');
      const stale = await ask(host, '/who?open=1', { authorization: 'Bearer eve' });
      assert.deepEqual(stale.body, { kind: 'anonymous', name: 'anonymous' });
    });
  });

  it('shuts out pages of other ports of this machine where no credential is needed, as the operator sets it', async () => {
    const origin = 'http://localhost:3000';
    const answers = async (server: object, people: boolean) => {
      const host = await testHost({
        plugins: [demo([echo()]), ...(people ? [peopleNamed('ann')] : [])],
        transports: [mirror],
        config: { server },
      });
      const statuses = [];
      for (const path of ['/peer', '/endpoint'])
        statuses.push((await ask(host, path, { origin, authorization: 'Bearer ann' })).status);
      const own = `http://127.0.0.1:${host.address?.port}`;
      assert.equal((await ask(host, '/peer', { origin: own })).status, 200);
      await host.stop();
      return statuses;
    };
    assert.deepEqual(await answers({}, false), [403, 403]);
    assert.deepEqual(await answers({ loopback_pages: 'mcp' }, false), [403, 200]);
    assert.deepEqual(await answers({ loopback_pages: 'all' }, false), [200, 200]);
    assert.deepEqual(await answers({ loopback_pages: 'none' }, true), [403, 403]);
    assert.deepEqual(await answers({ loopback_pages: 'all' }, true), [200, 200]);
  });

  it('refuses malformed origins and malformed proxy addresses', async () => {
    await assert.rejects(start({ base_url: 'https://example.com/path' }), /server\.base_url.*not an origin/s);
    await assert.rejects(start({ web_url: 'ftp://example.com' }), /server\.web_url/);
    await assert.rejects(start({ trusted_proxies: ['proxy.local'] }), /server\.trusted_proxies/);
  });

  it('counts as local only without a proxy or another public address', async () => {
    const own = async (server: object) => {
      const host = await start(server);
      await host.stop();
      return host.deployment.loopback;
    };
    assert.equal(await own({}), true);
    assert.equal(await own({ host: '::1', base_url: 'http://localhost:9000' }), true);
    assert.equal(await own({ allowed_hosts: ['localhost:9000', '[::1]:9000'] }), true);
    for (const server of [
      { host: '0.0.0.0' },
      { base_url: 'https://api.example.com' },
      { web_url: 'https://app.example.com' },
      { trusted_proxies: ['loopback'] },
      { allowed_hosts: ['svc.example:8080'] },
    ])
      assert.equal(await own(server), false, JSON.stringify(server));
  });

  it('keeps /metrics for keys with metrics:read where others reach it', async () => {
    const host = await start({ host: '0.0.0.0' });
    try {
      assert.equal((await ask(host, '/metrics')).status, 401);
      const { status, headers } = await ask(host, '/health', { authorization: 'Bearer ann' });
      assert.deepEqual([status, headers['content-type']], [200, 'application/json; charset=utf-8']);
    } finally {
      await host.stop();
    }
  });
});
