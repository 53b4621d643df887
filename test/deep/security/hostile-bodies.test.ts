import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { bearer, startHosted, type Account, type Hosted } from '../../security/start-hosted.js';
import { FORM_BODY, ask, codeOf, post, speak } from '../../security/raw-http.js';
import { Application, Browser, pkce } from '../../security/oauth-browser.js';

const KIB = 1024;

/** Texts that are slow for bad regular expressions, parsers and normalisers: long, repetitive near misses. */
const NEAR_MISSES = [
  'a'.repeat(30_000),
  `${'a'.repeat(15_000)}@`,
  `${'a@'.repeat(10_000)}a`,
  `${' '.repeat(30_000)}x`,
  '\t\n'.repeat(10_000),
  `svc_live_${'0'.repeat(30_000)}`,
  'a.'.repeat(10_000),
  '0-'.repeat(10_000),
  '(a+)+$'.repeat(3000),
  '\u0301'.repeat(20_000),
  '\uFDFA'.repeat(1000),
  '%'.repeat(20_000),
  'http://'.repeat(3000),
];

/** A body may take 30 s, and a bad expression minutes. */
const SLOW_MS = 10_000;

/** Fails when an answer takes longer than a busy machine explains. */
async function quickly<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  const took = performance.now() - startedAt;
  assert.ok(took < SLOW_MS, `${what} took ${Math.round(took)} ms`);
  return result;
}

describe('threat: hostile bodies', () => {
  let service: Hosted;
  let ann: Account;
  before(async () => {
    service = await startHosted({ auth: { login_tries_per_peer: 100_000 } });
    ann = await service.account('ann');
  });
  after(() => service.stop());

  describe('threat: regular-expression denial of service', () => {
    it('every text argument of every tool of auth takes a near miss in no time', async () => {
      const tools = service.host.registry.allowed
        .map(({ info }) => info)
        .filter(({ name, http }) => name.startsWith('auth_') && http);
      assert.ok(tools.length > 10);
      for (const { name, inputSchema } of tools) {
        for (const field of Object.keys(inputSchema['properties'] as object)) {
          await quickly(`${name} ${field}`, async () => {
            for (const text of NEAR_MISSES) {
              const value = field === 'scopes' ? [text] : text;
              const answer = await post(
                service.url,
                `/api/v1/tools/${name}`,
                { [field]: value },
                bearer(ann.key),
              );
              assert.ok(answer.status < 500, `${name} ${field}: ${answer.text.slice(0, 200)}`);
              assert.ok(answer.text.length < 4000, 'a long value does not come back whole');
            }
          });
        }
      }
    });

    it('every parameter of OAuth takes a near miss in no time', async () => {
      const application = await new Application(service.url).register();
      const names = [
        'client_id',
        'redirect_uri',
        'scope',
        'resource',
        'state',
        'nonce',
        'prompt',
        'code_challenge',
      ];
      for (const name of [...names, 'login_hint', 'max_age', 'response_mode', 'acr_values', 'claims']) {
        await quickly(`authorize ${name}`, async () => {
          for (const text of NEAR_MISSES) {
            const path = application.authorize(pkce().challenge, { [name]: text.slice(0, 3000) });
            assert.ok((await ask(service.url, path)).status < 500, name);
          }
        });
      }
      for (const name of [
        'grant_type',
        'code',
        'refresh_token',
        'client_id',
        'client_secret',
        'redirect_uri',
        'resource',
      ]) {
        await quickly(`token ${name}`, async () => {
          for (const text of NEAR_MISSES) {
            const { status } = await application.token({
              grant_type: 'refresh_token',
              [name]: text.slice(0, 9000),
            });
            assert.ok(status >= 400 && status < 500, `${name}: ${status}`);
          }
        });
      }
    });

    it('and every header of a credential', async () => {
      for (const text of NEAR_MISSES.map((one) => encodeURI(one.toWellFormed()).slice(0, 7000))) {
        for (const name of ['x-service-api-key', 'x-api-key', 'x-service-jwt', 'cookie', 'authorization']) {
          const headers = {
            [name]:
              name === 'cookie'
                ? `service_session_${new URL(service.url).port}=${text}`
                : `Bearer ${text}`.slice(0, 8000),
          };
          const answer = await quickly(name, () => ask(service.url, '/v1/auth/me', { headers }));
          assert.equal(answer.status, 401, name);
        }
      }
    });
  });

  describe('threat: oversized bodies', () => {
    const limits = [
      {
        path: '/api/v1/oauth/token',
        limit: 32 * KIB,
        headers: FORM_BODY,
        bodyOf: (n: number) => 'a='.padEnd(n, 'x'),
      },
      {
        path: '/api/v1/oauth/revoke',
        limit: 32 * KIB,
        headers: FORM_BODY,
        bodyOf: (n: number) => 'a='.padEnd(n, 'x'),
      },
      {
        path: '/api/v1/oauth/register',
        limit: 16 * KIB,
        headers: { 'content-type': 'application/json' },
        bodyOf: (n: number) => `{"a":"${'x'.repeat(n - 8)}"}`,
      },
      {
        path: '/oauth/login',
        limit: 16 * KIB,
        headers: FORM_BODY,
        bodyOf: (n: number) => 'email='.padEnd(n, 'x'),
      },
      {
        path: '/v1/auth/login',
        limit: KIB * KIB,
        headers: { 'content-type': 'application/json' },
        bodyOf: (n: number) => `{"a":"${'x'.repeat(n - 8)}"}`,
      },
    ];
    for (const { path, limit, headers, bodyOf } of limits) {
      it(`${path}: ${limit / KIB} KiB are read, a byte more is 413`, async () => {
        const own = { ...headers, origin: service.url };
        const fits = await ask(service.url, path, { method: 'POST', headers: own, body: bodyOf(limit) });
        assert.ok(fits.status >= 400 && fits.status < 413, `${fits.status} ${fits.text.slice(0, 200)}`);
        const over = await ask(service.url, path, { method: 'POST', headers: own, body: bodyOf(limit + 1) });
        assert.equal(over.status, 413, over.text.slice(0, 200));
        assert.equal(over.headers.connection, 'close');
      });
    }

    it('a body that lies about its length, or has none, is cut off', async () => {
      const { host } = new URL(service.url);
      const start = `POST /api/v1/oauth/token HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
      const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
      const chunked = `${start}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`;
      assert.match(await speak(service.url, chunked), /^HTTP\/1\.1 413 /);
      const both = `${start}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`;
      assert.match(await speak(service.url, both), /^HTTP\/1\.1 400 /);
    });
  });

  describe('threat: deeply nested bodies', () => {
    const deep = (n: number) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`;
    const list = (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`;

    it('are refused in no time and break nothing, wherever JSON is read', async () => {
      for (const path of [
        '/v1/auth/login',
        '/v1/auth/register',
        '/v1/auth/api-keys',
        '/api/v1/tools/auth_login',
        '/api/v1/rpc',
        '/mcp',
        '/api/v1/oauth/register',
        '/api/v1/oauth/token',
      ]) {
        for (const body of [
          deep(1500),
          list(7000),
          `{"redirect_uris":${list(2000)}}`,
          `{"email":${deep(1500)}}`,
        ]) {
          const accept = { accept: 'application/json, text/event-stream' };
          const answer = await quickly(path, () =>
            post(service.url, path, body, { ...accept, ...bearer(ann.key) }),
          );
          const isRpc = path === '/api/v1/rpc';
          assert.ok(
            (isRpc && answer.status === 200) || (answer.status >= 400 && answer.status < 500),
            `${path} ${answer.status}`,
          );
          assert.notEqual(codeOf(answer), 'INTERNAL');
          assert.ok(answer.text.length < 4000, path);
        }
      }
      assert.equal((await ask(service.url, '/ready')).status, 200);
    });
  });

  describe('threat: slow bodies', () => {
    it('two hundred slow bodies keep nobody else waiting', async () => {
      const { host, hostname, port } = new URL(service.url);
      const paths = ['/api/v1/oauth/token', '/v1/auth/login', '/mcp', '/oauth/login'];
      const slow = Array.from({ length: 200 }, (_, i) => {
        const socket = connect(Number(port), hostname).on('error', () => undefined);
        socket.write(
          `POST ${paths[i % paths.length]} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
            `Authorization: Bearer ${ann.key}\r\nContent-Length: 1000\r\n\r\n{"a`,
        );
        return socket;
      });
      const browser = new Browser(service.url);
      await quickly('a login meanwhile', () => browser.signIn(ann.email));
      for (let i = 0; i < 20; i++)
        await quickly('a call meanwhile', () =>
          ask(service.url, '/v1/workspaces', { headers: bearer(ann.key) }),
        );
      for (const socket of slow) socket.destroy();
    });
  });
});
