import assert from 'node:assert/strict';
import { startHosted, withKey, type Account, type Hosted } from './start-hosted.js';
import { ask, post, type Answer } from './raw-http.js';

const accept = { accept: 'application/json, text/event-stream' };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'crossed', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modernHeaders = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'auth_me',
};
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};
const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'auth_me', arguments: {} } };

/** How `auth_me` is asked with the JSON-RPC id 7 on each way. */
const WAYS: Readonly<Record<string, (url: string, key: string) => Promise<Answer>>> = {
  'MCP that opens with initialize': (url, key) => post(url, '/agent-a', CALL, { ...accept, ...withKey(key) }),
  'MCP of 2026-07-28': (url, key) => {
    const body = { ...CALL, params: { ...CALL.params, _meta: envelope } };
    return post(url, '/agent-a', body, { ...accept, ...modernHeaders, ...withKey(key) });
  },
  'JSON-RPC': (url, key) => post(url, '/api/v1/rpc', CALL, withKey(key)),
  'the compatibility route': (url, key) => post(url, '/api/v1/tools/auth_me', {}, withKey(key)),
  REST: (url, key) => ask(url, '/v1/auth/me', { headers: withKey(key) }),
};

describe('threat: answers that cross between callers', () => {
  let service: Hosted;
  let people: Account[];
  before(async () => {
    service = await startHosted();
    people = [await service.account('ann'), await service.account('bob')];
  });
  after(() => service.stop());

  it('two principals with the same JSON-RPC id, many at once, on every surface, each get their own answers', async () => {
    const asked = Object.entries(WAYS).flatMap(([way, send]) =>
      Array.from({ length: 24 }, async (_, i) => {
        const me = people[i % 2] as Account;
        const other = people[(i + 1) % 2] as Account;
        const { status, text } = await send(service.url, me.key);
        assert.equal(status, 200, `${way}: ${text}`);
        assert.ok(text.includes(me.id) && !text.includes(other.id), `${way}: ${text}`);
      }),
    );
    await Promise.all(asked);
  });

  it('the same on one connection that both use, as behind a proxy', async () => {
    const { Agent, fetch } = await import('undici');
    const dispatcher = new Agent({ connections: 1, pipelining: 1 });
    try {
      await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const me = people[i % 2] as Account;
          const headers = { 'content-type': 'application/json', ...withKey(me.key) };
          const body = JSON.stringify(CALL);
          const answer = await fetch(`${service.url}/api/v1/rpc`, {
            method: 'POST',
            headers,
            body,
            dispatcher,
          });
          assert.ok((await answer.text()).includes(me.id));
        }),
      );
    } finally {
      await dispatcher.destroy();
    }
  });

  describe('threat: session theft', () => {
    const session = async (key: string, path: string) => {
      const opened = await post(service.url, path, INITIALIZE, { ...accept, ...withKey(key) });
      const id = opened.headers['mcp-session-id'];
      assert.equal(typeof id, 'string', opened.text);
      return { 'mcp-session-id': String(id) };
    };
    const PING = { jsonrpc: '2.0', id: 2, method: 'ping' };

    for (const path of ['/mcp', '/agent-a', '/api/v1/rpc']) {
      it(`${path}: another principal's session is 404, like an unknown one, and stays open`, async () => {
        const [ann, bob] = people as [Account, Account];
        const stolen = await session(ann.key, path);
        const headers = { ...accept, ...stolen };
        const theft = await post(service.url, path, PING, { ...headers, ...withKey(bob.key) });
        const never = { 'mcp-session-id': crypto.randomUUID() };
        const unknown = await post(service.url, path, PING, { ...accept, ...never, ...withKey(bob.key) });
        assert.deepEqual([theft.status, theft.text], [404, unknown.text]);
        if (path !== '/api/v1/rpc') {
          const request = { method: 'DELETE', headers: { ...stolen, ...withKey(bob.key) } };
          assert.equal((await ask(service.url, path, request)).status, 404);
        }
        const own = await post(service.url, path, PING, { ...headers, ...withKey(ann.key) });
        assert.equal(own.status, 200, own.text);
      });
    }

    it('another key of the same person does not find it either', async () => {
      const [ann] = people as [Account];
      const { secret_key: other } = await service.key(ann, { scopes: ['*'] });
      const own = { ...accept, ...(await session(ann.key, '/mcp')) };
      assert.equal((await post(service.url, '/mcp', PING, { ...own, ...withKey(other) })).status, 404);
      assert.equal((await post(service.url, '/mcp', PING, { ...own, ...withKey(ann.key) })).status, 200);
    });
  });
});
