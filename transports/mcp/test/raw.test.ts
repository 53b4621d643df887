import assert from 'node:assert/strict';
import { ERRORS } from '@service-mcp/core';
import { CODES, INITIALIZE, rpc, send, start, startWithPeople, type Running } from './fixture.js';

const call = (name: string, args: object, id: unknown = 1) =>
  rpc('tools/call', { name, arguments: args }, id);
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modernCall = (name: string, args: object) =>
  rpc('tools/call', { name, arguments: args, _meta: envelope });
const modernHeaders = (name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
});

describe('mcp: raw requests', () => {
  let running: Running;
  let url: string;
  before(async () => {
    running = await start();
    url = running.url;
  });
  after(() => running.host.stop());

  for (const [what, body, status, code] of [
    ['bad JSON', '{"jsonrpc":', 400, -32700],
    ['an empty body', '', 400, -32700],
    ['a batch', [rpc('ping')], 400, -32600],
    ['an empty batch', [], 400, -32600],
    ['a number', 7, 400, -32600],
    ['another version of JSON-RPC', { ...rpc('ping'), jsonrpc: '1.0' }, 400, -32600],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32600],
    ['id null', rpc('ping', {}, null), 400, -32600],
    ['a fraction as id', rpc('ping', {}, 1.5), 400, -32600],
    ['an object as id', rpc('ping', {}, {}), 400, -32600],
    ['params that are an array', { ...rpc('ping'), params: [] }, 400, -32600],
    [
      'nesting that would overflow',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
      400,
      -32600,
    ],
    ['an unknown method', rpc('no/such'), 200, -32601],
  ] as const) {
    it(`answers ${what} with ${status} and ${code}`, async () => {
      const answer = await send(url, body);
      assert.equal(answer.status, status);
      assert.equal(answer.body.error?.code, code);
    });
  }

  it('ignores members that MCP does not know', async () => {
    const more = { sent_at: '2026-01-31', extra: [] };
    assert.deepEqual((await send(url, { ...rpc('ping'), ...more })).body.result, {});
    const opened = await send(url, { ...INITIALIZE, ...more });
    assert.ok(opened.body.result, JSON.stringify(opened.body));
    const modern = { ...modernCall('things_echo', { text: 'hi' }), ...more };
    const { body } = await send(url, modern, modernHeaders('things_echo'));
    assert.ok(body.result, JSON.stringify(body));
  });

  it('refuses a foreign page in the format of the endpoint', async () => {
    const { status, body } = await send(`${url}/`, rpc('ping'), { origin: 'https://evil.example' });
    assert.deepEqual([status, body.id, body.error?.code], [403, null, -32003]);
  });

  it('serves reads, and opens conversations, while the database takes no writes', async () => {
    const { sql } = running.host.database;
    const { header } = await send(url, INITIALIZE);
    const session = { 'mcp-session-id': header('mcp-session-id') ?? '' };
    // The use of the session, and that its client knows the lists, would be noted.
    const state = sql.raw(`json_remove(state, '$.lists')`);
    await sql('mcp_sessions').update({ used_at: Date.now() - 600_000, state });
    await sql.raw('PRAGMA query_only = 1');
    try {
      const listed = await send(url, rpc('tools/list'), session);
      assert.ok(listed.body.result?.['tools'], JSON.stringify(listed.body));
      const opened = await send(url, INITIALIZE);
      assert.ok(opened.body.result?.['serverInfo'], JSON.stringify(opened.body));
      assert.equal(opened.header('mcp-session-id'), null);
    } finally {
      await sql.raw('PRAGMA query_only = 0');
    }
  });

  for (const id of ['a', '', 0, -1, 9_007_199_254_740_991]) {
    it(`echoes the id ${JSON.stringify(id)}`, async () => {
      const { body } = await send(url, call('things_echo', { text: 'x' }, id));
      assert.strictEqual(body.id, id);
      assert.equal((await send(url, rpc('no/such', {}, id))).body.id, id);
    });
  }

  it('answers other content types with 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const answer = await send(url, INITIALIZE, { 'content-type': type });
      assert.equal(answer.status, 415);
      assert.equal(answer.body.error?.code, -32015);
    }
    assert.equal(
      (await send(url, INITIALIZE, { 'content-type': 'application/json; charset=utf-8' })).status,
      200,
    );
  });

  it('accepts bodies up to the largest limit of a declared tool, and answers 413 to more', async () => {
    const fits = await send(url, call('things_echo', { text: 'x'.repeat(1_500_000) }));
    assert.equal(fits.status, 200);
    const over = await send(url, call('things_echo', { text: 'x'.repeat(2_000_000) }));
    assert.equal(over.status, 413);
    assert.equal(over.body.error?.code, -32013);
  });

  it('accepts 1 MiB for what is not a call of a tool', async () => {
    const large = { text: 'x'.repeat(1_500_000) };
    for (const message of [rpc('ping', large), { jsonrpc: '2.0', id: 1, result: large }]) {
      const { status, body } = await send(url, message);
      assert.deepEqual([status, body.id, body.error?.code], [413, 1, -32013]);
    }
  });

  it('serves a client that accepts only JSON, or sends no Accept header', async () => {
    for (const accept of ['application/json', '*/*', '']) {
      const meta = { _meta: { progressToken: 1 } };
      const body = rpc('tools/call', { name: 'things_slow', arguments: { ms: 0 }, ...meta });
      const answer = await send(url, body, { accept });
      assert.equal(answer.status, 200);
      assert.match(answer.header('content-type') ?? '', /^application\/json/);
      assert.deepEqual(answer.body.result?.['structuredContent'], { done: true });
    }
  });

  it('gives a modern client without streams only its result', async () => {
    const meta = { ...envelope, progressToken: 1 };
    const body = rpc('tools/call', { name: 'things_slow', arguments: { ms: 0 }, _meta: meta });
    const answer = await send(url, body, { ...modernHeaders('things_slow'), accept: 'application/json' });
    assert.match(answer.header('content-type') ?? '', /^application\/json/);
    assert.deepEqual(answer.body.result?.['structuredContent'], { done: true });
  });

  it('negotiates the version', async () => {
    for (const [asked, answered] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2031-01-01', '2025-11-25'],
    ]) {
      const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 't', version: '1' } };
      const { body } = await send(url, rpc('initialize', params));
      assert.equal(body.result?.['protocolVersion'], answered);
    }
  });

  it('opens, serves and ends a session; afterwards it is unknown', async () => {
    const opened = await send(url, INITIALIZE);
    const session = { 'mcp-session-id': opened.header('mcp-session-id') ?? '' };
    assert.notEqual(session['mcp-session-id'], '');
    const told = await send(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    assert.deepEqual([told.status, told.raw], [202, '']);
    assert.equal((await send(url, rpc('ping'), session)).status, 200);
    assert.equal((await fetch(url, { method: 'DELETE', headers: session })).status, 204);
    const after = await send(url, rpc('ping'), session);
    assert.equal(after.status, 404);
    assert.equal(after.body.error?.code, -32001);
    assert.equal(after.body.id, 1);
    assert.equal((await fetch(url, { method: 'DELETE' })).status, 400);
  });

  it('answers a method that it does not take with 405, as JSON-RPC, and a GET without a session', async () => {
    for (const [method, allow] of [
      ['GET', 'GET, POST, DELETE'],
      ['PUT', 'GET, HEAD, POST, DELETE'],
    ] as const) {
      const answer = await fetch(url, { method, headers: { accept: 'text/event-stream' } });
      const { error } = (await answer.json()) as { error: { code: number } };
      assert.deepEqual([answer.status, answer.headers.get('allow'), error.code], [405, allow, -32600]);
    }
  });

  it('says how GET opens a stream, where one of a session does not ask for it', async () => {
    const opened = await send(url, INITIALIZE);
    const session = opened.header('mcp-session-id') ?? '';
    const answer = await fetch(url, { headers: { accept: '*/*', 'mcp-session-id': session } });
    assert.equal(answer.status, 405);
    assert.match(await answer.text(), /send its Mcp-Session-Id and Accept: text\/event-stream/);
  });

  it('has one-page lists: every cursor is unknown', async () => {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      const legacy = await send(url, rpc(method, { cursor: 'x' }));
      assert.deepEqual([legacy.status, legacy.body.error?.code], [200, -32602]);
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
      const modern = await send(url, rpc(method, { cursor: 'x', _meta: envelope }), headers);
      assert.equal(modern.body.error?.code, -32602);
    }
  });

  it('refuses an unknown version header', async () => {
    const answer = await send(url, rpc('ping'), { 'mcp-protocol-version': '1999-01-01' });
    assert.deepEqual([answer.status, answer.body.error?.code], [400, -32600]);
  });

  it('checks the envelope and headers of the modern era', async () => {
    const ok = await send(url, modernCall('things_echo', { text: 'x' }), modernHeaders('things_echo'));
    assert.equal(ok.status, 200);
    assert.equal(ok.body.result?.['resultType'], 'complete');
    const crossed = await send(url, modernCall('things_echo', { text: 'x' }), modernHeaders('things_fail'));
    assert.deepEqual([crossed.status, crossed.body.error?.code], [400, -32020]);
    const old = { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
    const unknown = await send(url, rpc('tools/list', { _meta: old }), {
      'mcp-protocol-version': '2027-01-01',
      'mcp-method': 'tools/list',
    });
    assert.deepEqual([unknown.status, unknown.body.error?.code], [400, -32022]);
  });

  for (const code of CODES.filter((each) => ERRORS[each].mcp === 'http')) {
    it(`keeps the HTTP status of ${code} in both eras`, async () => {
      const legacy = await send(url, call('things_fail', { code }));
      const modern = await send(url, modernCall('things_fail', { code }), modernHeaders('things_fail'));
      for (const { status, body } of [legacy, modern]) {
        assert.equal(status, ERRORS[code].http);
        assert.equal(body.error?.code, ERRORS[code].rpc);
        assert.deepEqual(body.error?.data, { code, details: { asked: code } });
        assert.equal(body.id, 1);
      }
    });
  }
});

describe('mcp: change streams', () => {
  const body = JSON.stringify(
    rpc('subscriptions/listen', { _meta: envelope, notifications: { toolsListChanged: true } }),
  );
  const headers = {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  };

  it('open with an acknowledgement and end when the client disconnects', async () => {
    const { url, host } = await start();
    const controller = new AbortController();
    const response = await fetch(url, { method: 'POST', headers, body, signal: controller.signal });
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
    const first = await response.body?.getReader().read();
    assert.match(new TextDecoder().decode(first?.value), /subscriptions\/acknowledged/);
    controller.abort();
    await host.stop();
  });
});

describe('mcp: two principals', () => {
  let running: Running;
  const as = (name: string) => ({ authorization: `Bearer ${name}` });
  before(async () => {
    running = await startWithPeople({ sessions: { per_credential: 50 } });
  });
  after(() => running.host.stop());

  it('answers a request without a credential with 401', async () => {
    const answer = await send(running.url, INITIALIZE);
    assert.deepEqual([answer.status, answer.body.error?.code], [401, -32011]);
    for (const method of ['GET', 'DELETE']) assert.equal((await fetch(running.url, { method })).status, 401);
  });

  it("does not know another principal's session", async () => {
    const opened = await send(running.url, INITIALIZE, as('ann'));
    const session = { 'mcp-session-id': opened.header('mcp-session-id') ?? '' };
    assert.equal((await send(running.url, rpc('ping'), { ...session, ...as('bob') })).status, 404);
    const stolen = await fetch(running.url, { method: 'DELETE', headers: { ...session, ...as('bob') } });
    assert.equal(stolen.status, 404);
    assert.equal((await send(running.url, rpc('ping'), { ...session, ...as('ann') })).status, 200);
  });

  it('separates parallel requests of the same id, in both eras', async () => {
    const requests = Array.from({ length: 40 }, async (_, i) => {
      const name = i % 2 === 0 ? 'ann' : 'bob';
      const args = { text: `${name} ${i}` };
      const answer =
        i % 4 < 2
          ? await send(running.url, call('things_echo', args, 7), as(name))
          : await send(
              running.url,
              { ...modernCall('things_echo', args), id: 7 },
              { ...as(name), ...modernHeaders('things_echo') },
            );
      assert.deepEqual(answer.body.result?.['structuredContent'], { text: `${name} ${i}`, by: name });
    });
    await Promise.all(requests);
  });

  it('limits open sessions per credential', async () => {
    const open = async (name: string) => {
      const opened = await send(running.url, INITIALIZE, as(name));
      return { 'mcp-session-id': opened.header('mcp-session-id') ?? '', ...as(name) };
    };
    const [ann, bob] = [await open('ann'), await open('bob')];
    for (let i = 0; i < 50; i++) await open('bob');
    assert.equal((await send(running.url, rpc('ping'), ann)).status, 200);
    assert.equal((await send(running.url, rpc('ping'), bob)).status, 404);
  });
});
