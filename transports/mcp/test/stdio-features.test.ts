import assert from 'node:assert/strict';
import { rpc, start, type Running } from './fixture.js';
import { questions } from './plugins/questions.js';
import { changer, notes } from './plugins/notes.js';
import { connect } from './stdio-client.js';
import { modernMeta } from './streams.js';

const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };
const INITIALIZE = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: CAPABILITIES,
  clientInfo: { name: 't', version: '1' },
});
const city = (name: string) => ({ action: 'accept', content: { city: name } });

describe('mcp: stdio in the revisions of the handshake', () => {
  let running: Running;
  before(async () => {
    running = await start({ plugins: [questions, notes] });
  });
  after(() => running.host.stop());

  async function shakeHands() {
    const client = connect(running);
    client.write(INITIALIZE);
    await client.next();
    client.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  it('asks the client by server requests', async () => {
    const { write, next, stdin, connection } = await shakeHands();
    write(rpc('tools/call', { name: 'ask_twice' }, 2));
    for (const name of ['Pisa', 'Rome']) {
      const { id, method } = await next();
      assert.equal(method, 'elicitation/create');
      write({ jsonrpc: '2.0', id, result: city(name) });
    }
    const { id, result } = await next();
    assert.equal(id, 2);
    assert.deepEqual(result?.['structuredContent'], { answer: 'Pisa to Rome' });
    stdin.end();
    await connection.closed;
  });

  it('ignores members that MCP does not know', async () => {
    const { write, next, stdin, connection } = await shakeHands();
    write({ ...rpc('tools/call', { name: 'ask_city' }, 2), sent_at: '2026-01-31' });
    write({ jsonrpc: '2.0', id: (await next()).id, result: city('Pisa'), extra: [] });
    assert.deepEqual((await next()).result?.['structuredContent'], { answer: 'Pisa' });
    stdin.end();
    await connection.closed;
  });

  it('logs from the level that was set', async () => {
    const { write, next, stdin, connection } = await shakeHands();
    write(rpc('logging/setLevel', { level: 'error' }, 2));
    assert.deepEqual((await next()).result, {});
    write(rpc('tools/call', { name: 'talk' }, 3));
    assert.equal((await next()).params?.['level'], 'error');
    assert.equal((await next()).id, 3);
    stdin.end();
    await connection.closed;
  });

  it('notifies of subscribed resources', async () => {
    const { write, next, connection } = await shakeHands();
    write(rpc('resources/subscribe', { uri: 'notes://all/x' }, 2));
    assert.deepEqual((await next()).result, {});
    write(rpc('resources/subscribe', { uri: 'notes://bob/x' }, 3));
    assert.equal((await next()).error?.code, -32602);
    for (const note of ['bob/x', 'all/y', 'all/x']) await changer.note(note);
    assert.equal((await next()).params?.['uri'], 'notes://all/x');
    await changer.lists();
    assert.match((await next()).method ?? '', /list_changed$/);
    await connection.close();
  });
});

describe('mcp: stdio in the stateless revision', () => {
  let running: Running;
  before(async () => {
    running = await start({ plugins: [questions, notes] });
  });
  after(() => running.host.stop());

  const request = (method: string, params: object, id: number | string, meta: object = {}) =>
    rpc(method, { ...params, _meta: modernMeta(CAPABILITIES, { ...meta }) }, id);

  it('asks the client in its result, and accepts the returned state', async () => {
    const { write, next, stdin, connection } = connect(running);
    const call = { name: 'ask_twice', arguments: {} };
    write(request('tools/call', call, 1));
    const state = (await next()).result?.['requestState'];
    const from = { inputResponses: { from: city('Pisa') } };
    write(request('tools/call', { ...call, ...from, requestState: 'made up' }, 2));
    assert.equal((await next()).error?.code, -32602);
    write(request('tools/call', { ...call, ...from, requestState: state }, 3));
    const { result } = await next();
    const to = { inputResponses: { to: city('Rome') }, requestState: result?.['requestState'] };
    write(request('tools/call', { ...call, ...to }, 4));
    assert.deepEqual((await next()).result?.['structuredContent'], { answer: 'Pisa to Rome' });
    stdin.end();
    await connection.closed;
  });

  it('logs from the level that a request names', async () => {
    const { write, next, stdin, connection } = connect(running);
    write(request('tools/call', { name: 'talk' }, 1));
    assert.equal((await next()).id, 1);
    write(request('tools/call', { name: 'talk' }, 2, { 'io.modelcontextprotocol/logLevel': 'error' }));
    assert.equal((await next()).params?.['level'], 'error');
    assert.equal((await next()).id, 2);
    stdin.end();
    await connection.closed;
  });

  it('subscribes to readable resources, and refuses others', async () => {
    const { write, next, connection } = connect(running);
    write(request('tools/list', {}, 0));
    await next();
    const listen = (uris: readonly string[], id: string) =>
      write(request('subscriptions/listen', { notifications: { resourceSubscriptions: uris } }, id));
    listen(['notes://bob/x'], 'a');
    listen(['notes://all/x'], 'b');
    write(request('tools/list', {}, 'c'));
    const refused = await next();
    assert.deepEqual([refused.id, refused.error?.code], ['a', -32602]);
    assert.equal((await next()).method, 'notifications/subscriptions/acknowledged');
    assert.equal((await next()).id, 'c');
    for (const note of ['bob/x', 'all/x']) await changer.note(note);
    const told = await next();
    assert.equal(told.params?.['uri'], 'notes://all/x');
    write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'b' } });
    await connection.close();
  });
});
