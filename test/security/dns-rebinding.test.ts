import assert from 'node:assert/strict';
import { startHosted, withKey, type Account, type Hosted } from './start-hosted.js';
import { ask, codeOf, speak } from './raw-http.js';

const LISTING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const POSTED = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** One address of every surface; `forPages`: pages of every Origin may read it. */
const ADDRESSES = [
  { what: 'REST', method: 'GET', path: '/v1/workspaces' },
  { what: 'REST that writes', method: 'POST', path: '/v1/workspaces', headers: POSTED, body: '{"name":"w"}' },
  { what: 'login', method: 'POST', path: '/v1/auth/login', headers: POSTED, body: '{}' },
  { what: 'compatibility', method: 'GET', path: '/api/v1/tools/list' },
  { what: 'JSON-RPC', method: 'POST', path: '/api/v1/rpc', headers: POSTED, body: LISTING },
  { what: 'MCP', method: 'POST', path: '/mcp', headers: POSTED, body: LISTING },
  { what: 'a named MCP endpoint', method: 'POST', path: '/agent-a', headers: POSTED, body: LISTING },
  { what: 'the login page', method: 'GET', path: '/oauth/login' },
  { what: 'the login form', method: 'POST', path: '/oauth/login', headers: FORM, body: 'email=a&password=b' },
  { what: 'authorization', method: 'GET', path: '/oauth/authorize?client_id=x' },
  { what: 'metrics', method: 'GET', path: '/metrics' },
  { what: 'the API page', method: 'GET', path: '/docs' },
  { what: 'token', method: 'POST', path: '/api/v1/oauth/token', headers: FORM, body: 'a=b', forPages: true },
  {
    what: 'revocation',
    method: 'POST',
    path: '/api/v1/oauth/revoke',
    headers: FORM,
    body: 'a=b',
    forPages: true,
  },
  {
    what: 'registration',
    method: 'POST',
    path: '/api/v1/oauth/register',
    headers: POSTED,
    body: '{}',
    forPages: true,
  },
  { what: 'discovery', method: 'GET', path: '/.well-known/oauth-protected-resource', forPages: true },
  {
    what: 'discovery of the server',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    forPages: true,
  },
] as const;

const FOREIGN_HOSTS = [
  'evil.example',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'evil.example:80',
  '0.0.0.0',
  '127.0.0.2',
  '[::]',
  '169.254.169.254',
];
/** Malformed hosts. */
const BROKEN_HOSTS = ['localhost@evil.example', 'evil.example#localhost', '[', ' '];
const FOREIGN_ORIGINS = [
  'http://evil.example',
  'https://127.0.0.1.evil.example',
  'http://localhost.evil.example',
  'http://evil.example:8080',
  'null',
  'file://',
  'chrome-extension://abcdef',
  'http://localhost@evil.example',
  'javascript:alert(1)',
  '',
  '*',
];

describe('threat: DNS rebinding and foreign pages', () => {
  let service: Hosted;
  let ann: Account;
  before(async () => {
    service = await startHosted();
    ann = await service.account('ann');
  });
  after(() => service.stop());

  const with_ = (address: (typeof ADDRESSES)[number], more: Record<string, string>) =>
    ask(service.url, address.path, {
      method: address.method,
      headers: { ...('headers' in address && address.headers), ...withKey(ann.key), ...more },
      ...('body' in address && { body: address.body }),
    });

  for (const address of ADDRESSES) {
    it(`${address.what}: a foreign Host is 421, with any credential`, async () => {
      for (const host of FOREIGN_HOSTS) {
        const answer = await with_(address, { host });
        assert.deepEqual([answer.status, codeOf(answer)], [421, 'MISDIRECTED'], `Host: ${host}`);
      }
      for (const host of BROKEN_HOSTS) {
        const answer = await with_(address, { host });
        assert.deepEqual([answer.status, codeOf(answer)], [400, 'INVALID_REQUEST'], `Host: ${host}`);
      }
    });

    it(`${address.what}: a foreign Origin is ${'forPages' in address ? 'served' : '403'}`, async () => {
      for (const origin of FOREIGN_ORIGINS) {
        const answer = await with_(address, { origin });
        if ('forPages' in address) assert.notEqual(answer.status, 403, `Origin: ${origin}`);
        else assert.equal(answer.status, 403, `Origin: ${origin}`);
        assert.equal(answer.headers['access-control-allow-credentials'], undefined, `Origin: ${origin}`);
        if (!('forPages' in address))
          assert.equal(answer.headers['access-control-allow-origin'], undefined, `Origin: ${origin}`);
      }
    });

    it(`${address.what}: its own Host and Origin are served`, async () => {
      const { host } = new URL(service.url);
      const own = [{ host: host.toUpperCase() }, { host }, { host, origin: service.url }];
      const isForm = address.what === 'the login form'; // which wants to know its page
      for (const more of isForm ? own.slice(-1) : own)
        assert.ok(![403, 421].includes((await with_(address, more)).status));
    });
  }

  it('a second Host header, one in the request line and none at all reach nothing', async () => {
    const { host } = new URL(service.url);
    const key = `X-Service-API-Key: ${ann.key}\r\nConnection: close\r\n\r\n`;
    for (const head of [
      `GET /v1/workspaces HTTP/1.1\r\nHost: evil.example\r\nHost: ${host}\r\n`,
      `GET http://evil.example/v1/workspaces HTTP/1.1\r\nHost: evil.example\r\n`,
      `GET /v1/workspaces HTTP/1.1\r\n`,
      `GET /v1/workspaces HTTP/1.1\r\nHost:\r\n`,
    ]) {
      const heard = await speak(service.url, head + key);
      assert.match(heard, /^HTTP\/1\.1 (?:400|421) /, head);
    }
  });

  it('X-Forwarded-Host of a stranger changes nothing', async () => {
    const more = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    const answer = await ask(service.url, '/.well-known/oauth-authorization-server', { headers: more });
    assert.equal(answer.status, 200);
    assert.ok(!answer.text.includes('evil'));
  });
});
