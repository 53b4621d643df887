import assert from 'node:assert/strict';
import { ERRORS, type ErrorCode } from '@service-mcp/core';
import { log, rpc, send as post, start, startWithPeople, type Running } from './fixture.js';

const call = (name: string, args: object = {}, id: unknown = 1) =>
  rpc('tools/call', { name, arguments: args }, id);
const KEPT = new Set<string>([
  'UNAUTHENTICATED',
  'UNKNOWN_SESSION',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'MISDIRECTED',
  'RATE_LIMITED',
  'RESOURCE_EXHAUSTED',
]);

describe('jsonrpc: POST /api/v1/rpc', () => {
  let running: Running;
  const send = (body?: unknown, headers: Record<string, string> = {}) =>
    post(`${running.url}/rpc`, body, headers);
  before(async () => {
    running = await start();
  });
  after(() => running.host.stop());

  it('initializes, with the version asked for and a session', async () => {
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const { status, body, header } = await send(rpc('initialize', params));
    assert.equal(status, 200);
    assert.equal(body.result?.['protocolVersion'], '2024-11-05');
    assert.deepEqual(body.result?.['capabilities'], { tools: {} });
    assert.equal((body.result?.['serverInfo'] as { name?: string } | undefined)?.name, 'service-mcp');
    const session = { 'mcp-session-id': header('mcp-session-id') ?? '' };
    assert.equal((await send(rpc('tools/list'), session)).status, 200);
    const newer = await send(rpc('initialize', { ...params, protocolVersion: '2031-01-01' }));
    assert.equal(newer.body.result?.['protocolVersion'], '2025-11-25');
  });

  it('refuses a foreign page with JSON-RPC, at the compatibility routes with an error alone', async () => {
    const foreign = { origin: 'https://evil.example' };
    const { status, body } = await send(rpc('ping'), foreign);
    assert.deepEqual([status, body.jsonrpc, body.id, body.error?.code], [403, '2.0', null, -32003]);
    for (const path of ['initialize', 'tools/call', 'tools/things_echo/', 'TOOLS/call']) {
      const plain = await post(`${running.url}/${path}`, {}, foreign);
      assert.deepEqual([plain.status, Object.keys(plain.body)], [403, ['error']], path);
      assert.equal(plain.body.error?.code, 'PERMISSION_DENIED');
    }
  });

  it('names the missing field of initialize', async () => {
    const { status, body } = await send(rpc('initialize', { capabilities: 1 }));
    assert.deepEqual([status, body.error?.code], [200, -32602]);
    assert.match(body.error?.message ?? '', /protocolVersion, clientInfo/);
    const wrong = await send(rpc('initialize', { protocolVersion: 1, capabilities: {}, clientInfo: {} }));
    assert.equal(wrong.body.error?.code, -32602);
  });

  it('lists the tools, sorted', async () => {
    const { body } = await send(rpc('tools/list'));
    const tools = body.result?.['tools'] as { name: string; annotations: object; outputSchema: object }[];
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['things_echo', 'things_fail', 'things_wait'],
    );
    assert.equal(Object.keys(tools[0]?.annotations ?? {}).length, 5);
  });

  it('calls a tool and gives its whole result', async () => {
    const { status, body } = await send(call('things_echo', { text: 'ü' }, 'seven'));
    assert.equal(status, 200);
    const structuredContent = { text: 'ü', by: 'local owner' };
    const text = JSON.stringify(structuredContent);
    const result = { content: [{ type: 'text', text }], structuredContent, isError: false };
    assert.deepEqual(body, { jsonrpc: '2.0', id: 'seven', result });
  });

  for (const id of ['a', '', 0, -3, 2.5, null]) {
    it(`echoes the id ${JSON.stringify(id)}`, async () => {
      assert.strictEqual((await send(rpc('ping', {}, id))).body.id, id);
      assert.strictEqual((await send(rpc('no/such', {}, id))).body.id, id);
      assert.strictEqual((await send(call('no_such', {}, id))).body.id, id);
    });
  }

  for (const [what, body, code] of [
    ['bad JSON', '{"jsonrpc":', -32700],
    ['no body', undefined, -32700],
    ['a batch', [rpc('ping')], -32600],
    ['an empty batch', [], -32600],
    ['a string', '"ping"', -32600],
    ['another version', { ...rpc('ping'), jsonrpc: '1.0' }, -32600],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32600],
    ['an object as id', rpc('ping', {}, {}), -32600],
    ['params that are an array', { ...rpc('ping'), params: [1] }, -32600],
    [
      'nesting that would overflow',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
      -32600,
    ],
    ['an unknown method', rpc('resources/list'), -32601],
    ['an unknown tool', call('no_such'), -32602],
    ['no tool name', rpc('tools/call', {}), -32602],
    ['arguments that are not an object', rpc('tools/call', { name: 'things_echo', arguments: [] }), -32602],
    ['arguments that break the schema', call('things_echo', { text: 1 }), -32602],
  ] as const) {
    it(`answers ${what} with 200 and ${code}`, async () => {
      const answer = await send(body);
      assert.deepEqual([answer.status, answer.body.error?.code], [200, code]);
      assert.equal('result' in answer.body, false);
    });
  }

  it('names the field that breaks the schema', async () => {
    const { body } = await send(call('things_echo', { text: 1 }));
    const data = body.error?.data as { code: string; details: { issues: { path: string }[] } } | undefined;
    assert.deepEqual([data?.code, data?.details.issues[0]?.path], ['INVALID_ARGUMENT', '/text']);
  });

  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const status = KEPT.has(code) ? ERRORS[code].http : 200;
    it(`answers ${code} with ${status} and ${ERRORS[code].rpc}`, async () => {
      const answer = await send(call('things_fail', { code }));
      assert.equal(answer.status, status);
      const error = {
        code: ERRORS[code].rpc,
        message: 'Failed as asked. Ask for less.',
        data: { code, details: { asked: code } },
      };
      assert.deepEqual(answer.body, { jsonrpc: '2.0', id: 1, error });
    });
  }

  it('never shows the text of a foreign error', async () => {
    const { status, raw } = await send(call('things_fail', { code: 'foreign' }));
    assert.equal(status, 200);
    assert.match(raw, /-32603/);
    assert.doesNotMatch(raw, /SELECT|vault|\.js/);
  });

  it('takes a notification with 202 and no body, and one with an id with an empty result', async () => {
    const told = await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual([told.status, told.raw], [202, '']);
    for (const params of [[], null, 'x']) {
      const { status } = await send({ jsonrpc: '2.0', method: 'notifications/initialized', params });
      assert.equal(status, 202, JSON.stringify(params));
    }
    assert.deepEqual((await send(rpc('notifications/initialized', {}, 3))).body, {
      jsonrpc: '2.0',
      id: 3,
      result: {},
    });
  });

  it('answers other content types with 415 and a body too large with 413', async () => {
    const other = await send(rpc('ping'), { 'content-type': 'text/plain' });
    assert.deepEqual([other.status, other.body.error?.code], [415, -32015]);
    assert.equal((await send(call('things_echo', { text: 'x'.repeat(1_500_000) }))).status, 200);
    const large = await send(call('things_echo', { text: 'x'.repeat(2_000_000) }));
    assert.deepEqual([large.status, large.body.error?.code], [413, -32013]);
    const ping = await send(rpc('ping', { text: 'x'.repeat(1_500_000) }));
    assert.deepEqual([ping.status, ping.body.id, ping.body.error?.code], [413, 1, -32013]);
  });

  it('answers an unknown session with 404', async () => {
    const { status, body } = await send(rpc('ping'), { 'mcp-session-id': 'nope' });
    assert.deepEqual([status, body.error?.code, body.id], [404, -32001, 1]);
  });

  it('cancels a call of the same session', async () => {
    log.splice(0);
    const { header } = await post(`${running.url}/initialize`);
    const session = { 'mcp-session-id': header('mcp-session-id') ?? '' };
    const answer = send(call('things_wait', {}, 5), session);
    for (let i = 0; log.length < 1 && i < 100; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } };
    assert.equal((await send(cancel, session)).status, 202);
    assert.equal((await answer).body.error?.code, -32008);
    assert.deepEqual(log, ['started', 'aborted']);
  });
});

describe('jsonrpc: two principals', () => {
  let running: Running;
  const as = (name: string) => ({ authorization: `Bearer ${name}` });
  before(async () => {
    running = await startWithPeople();
  });
  after(() => running.host.stop());

  it('answers a request without a credential with 401', async () => {
    const { status, body } = await post(`${running.url}/rpc`, rpc('ping'));
    assert.deepEqual([status, body.error?.code], [401, -32011]);
    assert.equal((await post(`${running.url}/initialize`)).status, 401);
  });

  it("does not know another principal's session", async () => {
    const { header } = await post(`${running.url}/initialize`, undefined, as('ann'));
    const session = { 'mcp-session-id': header('mcp-session-id') ?? '' };
    assert.equal((await post(`${running.url}/rpc`, rpc('ping'), { ...session, ...as('bob') })).status, 404);
    assert.equal((await post(`${running.url}/rpc`, rpc('ping'), { ...session, ...as('ann') })).status, 200);
  });

  it('keeps apart parallel requests of the same id', async () => {
    const requests = Array.from({ length: 30 }, async (_, i) => {
      const name = i % 2 === 0 ? 'ann' : 'bob';
      const { body } = await post(`${running.url}/rpc`, call('things_echo', { text: `${i}` }, 7), as(name));
      assert.deepEqual(body.result?.['structuredContent'], { text: `${i}`, by: name });
    });
    await Promise.all(requests);
  });
});
