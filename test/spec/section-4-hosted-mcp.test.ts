import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startHosted, withKey, type Account, type Hosted } from '../security/start-hosted.js';
import { INITIALIZE, resultOf, send, type RpcReply } from './http.js';

const accept = { accept: 'application/json, text/event-stream' };
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('interface.md 4.3: the hosted MCP endpoint', () => {
  let service: Hosted;
  let ann: Account;
  before(async () => {
    service = await startHosted();
    ann = await service.account('ann');
  });
  after(() => service.stop());

  const ask = (path: string, headers: Record<string, string>, body: object = listing) =>
    send<RpcReply>(service.url, 'POST', path, { body, headers: { ...accept, ...headers } });

  it('4.3, 5.2 {mcp_url}/mcp with X-Service-API-Key: the tools of the caller', async () => {
    const { status, body } = await ask('/mcp', withKey(ann.key));
    assert.equal(status, 200);
    assert.ok(resultOf<{ tools: unknown[] }>(body).tools.length > 5);
  });

  it('4.3 default_context_mode=fast, the documented value, is taken', async () => {
    const { status, body } = await ask('/mcp?default_context_mode=fast', withKey(ann.key));
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(body.result?.['tools']);
  });

  it('4.3 client config {type: "http", url, headers}: a client connects with nothing else', async () => {
    const config = {
      type: 'http',
      url: `${service.url}/mcp?default_context_mode=fast`,
      headers: withKey(ann.key),
    };
    const client = new Client({ name: 'spec', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(config.url), {
      requestInit: { headers: config.headers },
    });
    await client.connect(transport);
    const { content } = await client.callTool({ name: 'workspaces_list', arguments: {} });
    assert.ok(Array.isArray(content) && content.length > 0);
    await client.close();
  });

  it('5.2 the key is never placed in the URL, where it is ignored', async () => {
    for (const name of ['api_key', 'key', 'token', 'access_token', 'x-service-api-key'])
      assert.equal((await ask(`/mcp?${name}=${ann.key}`, {})).status, 401, name);
  });

  it('2, 5 the MCP session belongs to its opener, and each request needs the key', async () => {
    const opened = await ask('/mcp', withKey(ann.key), {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: INITIALIZE,
    });
    const id = opened.header('mcp-session-id') ?? '';
    assert.ok(id);
    assert.equal((await ask('/mcp', { 'mcp-session-id': id, ...withKey(ann.key) })).status, 200);
    assert.equal((await ask('/mcp', { 'mcp-session-id': id })).status, 401);
  });
});
