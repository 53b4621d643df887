import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serveGateway, type Answer, type Served } from '../../gateway/support/serve-gateway.js';
import { startHosted, type Hosted } from '../../gateway/support/restartable-service.js';

const CALLERS = 8;

describe('gateway: the service is killed, and comes back', function () {
  let service: Hosted;
  let gateway: Served;
  before(async () => {
    service = await startHosted();
    gateway = await serveGateway({ SERVICE_API_URL: service.url, SERVICE_API_KEY: service.key });
  });
  after(async () => {
    await gateway.stop();
    await service.stop();
  });

  async function untilReachable(): Promise<void> {
    for (;;) {
      const { body } = await gateway.get('/health');
      if (body.upstream.status === 'reachable') return;
      await sleep(50);
    }
  }

  it('every open call ends, in an answer or UNAVAILABLE, and no write is made twice', async () => {
    const ended: Array<{ readonly name: string; readonly answer: Answer }> = [];
    const ending = new AbortController();
    const caller = async (number: number): Promise<void> => {
      for (let i = 0; !ending.signal.aborted; i++) {
        const name = `of ${number}, ${i}`;
        const answer = await gateway.post('/api/v1/tools/workspaces_create', { name });
        ended.push({ name, answer });
        await sleep(20);
      }
    };
    const callers = Array.from({ length: CALLERS }, (_, number) => caller(number));
    while (ended.length < CALLERS * 3) await sleep(10);
    await service.kill();
    const killedAfter = ended.length;
    while (ended.length < killedAfter + CALLERS * 3) await sleep(10);
    await service.start();
    const isBack = () => ended.slice(killedAfter).some(({ answer }) => answer.status === 200);
    while (!isBack()) await sleep(20);
    ending.abort();
    await Promise.all(callers);

    const codes = new Set(ended.map(({ answer }): string => answer.body.error?.code ?? 'OK'));
    assert.deepEqual(codes, new Set(['OK', 'UNAVAILABLE']));
    const { body } = await gateway.post('/api/v1/tools/workspaces_list', { per_page: 100 });
    const made: string[] = [];
    for (let page = 1; made.length < body.structuredContent.total; page++) {
      const listed = await gateway.post('/api/v1/tools/workspaces_list', { per_page: 100, page });
      made.push(...(listed.body.structuredContent.items as Array<{ name: string }>).map(({ name }) => name));
    }
    assert.equal(new Set(made).size, made.length, 'a workspace was made twice');
    for (const { name, answer } of ended) if (answer.status === 200) assert.ok(made.includes(name), name);
  });

  it('while it is away, health, documents and help answer, and every other call fails with a remedy', async () => {
    const opened = await gateway.post('/api/v1/initialize', {});
    await service.kill();
    const away = await gateway.get('/api/v1/tools/list');
    assert.equal(away.status, 503);
    assert.equal(away.body.error.code, 'UNAVAILABLE');
    assert.match(away.body.error.message, /The service at http[^]* is unavailable[^]*Try again/);
    const health = await gateway.get('/health');
    assert.equal(health.status, 200);
    assert.deepEqual(health.body.upstream, { url: service.url, status: 'unreachable' });
    assert.equal((await gateway.get('/ready')).status, 503);
    assert.match((await gateway.get('/metrics')).body, /^service_mcp_upstream_up 0$/m);
    const document = await gateway.get('/.well-known/oauth-authorization-server');
    assert.equal(document.body.issuer, service.url);
    const help = await gateway.ask('tools/call', { name: 'help', arguments: { action: 'version' } });
    assert.equal(help.body.result.structuredContent.server, 'service-mcp');
    assert.equal((await gateway.post('/api/v1/initialize', {})).status, 503); // it would have no session
    const started = await gateway.ask('initialize', {});
    assert.match(started.body.result.instructions, /does not respond/);
    const session = { 'mcp-session-id': opened.body.session_id };
    const search = await gateway.ask('tools/call', { name: 'search_hybrid', arguments: {} }, session);
    assert.equal(search.body.result._meta['service-mcp/error'].code, 'UNAVAILABLE');
    const stream = await gateway.get('/api/v1/stream');
    assert.equal(stream.status, 503);

    await service.start();
    await untilReachable();
    // A session of before is as good as ever.
    const again = await gateway.ask('tools/list', {}, session);
    assert.ok(again.body.result.tools.length > 1);
  });

  it('with a credential required, nothing is answered while it is away, since nobody can check credentials', async () => {
    const strict = await serveGateway({ SERVICE_API_URL: service.url, MCP_HTTP_REQUIRE_AUTH: 'true' });
    try {
      const credential = { 'x-service-api-key': service.key };
      assert.equal((await strict.ask('ping', {}, credential)).status, 200);
      await service.kill();
      for (const given of [credential, { 'x-service-api-key': 'another' }]) {
        const startedAt = performance.now();
        const ping = await strict.ask('ping', {}, given);
        assert.equal(ping.body.error.data.code, 'UNAVAILABLE');
        const help = await strict.post('/api/v1/tools/help', {}, given);
        assert.equal(help.status, 503);
        assert.ok(performance.now() - startedAt < 2000);
      }
      assert.equal((await strict.get('/api/v1/tools/list')).status, 401);
    } finally {
      await service.start();
      await strict.stop();
    }
  });

  it('clients of both eras go on once it is back, in the sessions of before, and hear of changes', async () => {
    await untilReachable();
    const url = new URL(`${gateway.url}/mcp`);
    const heard: string[] = [];
    const modern = new Client({ name: 'modern', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await modern.connect(new StreamableHTTPClientTransport(url));
    const legacy = new OldClient({ name: 'legacy', version: '1' });
    const transport = new OldTransport(url);
    await legacy.connect(transport);
    try {
      assert.equal(modern.getProtocolEra(), 'modern');
      const subscription = await modern.listen({ toolsListChanged: true });
      void subscription.closed.then(() => heard.push('the stream has ended'));
      const session = transport.sessionId;
      const before = (await legacy.listTools()).tools.length;
      await service.kill();
      while (heard.length === 0) await sleep(20); // a client knows at once that it hears nothing more
      await service.start();
      await untilReachable();
      assert.equal((await legacy.listTools()).tools.length, before);
      assert.equal(transport.sessionId, session);
      assert.equal((await modern.listTools()).tools.length, before);
      const again = await modern.listen({ toolsListChanged: true });
      await again.close();
    } finally {
      await modern.close();
      await legacy.close();
    }
  });
});
