import assert from 'node:assert/strict';
import { ERRORS, type ErrorCode } from '@service-mcp/core';
import { send as post, start, type Running } from './fixture.js';

const structuredContent = { text: 'hi', by: 'local owner' };
const RESULT = {
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
  isError: false,
};

describe('jsonrpc: compatibility routes', () => {
  let running: Running;
  const send = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    post(running.url + path, body, headers);
  before(async () => {
    running = await start();
  });
  after(() => running.host.stop());

  it('POST /initialize takes an empty body', async () => {
    const { status, body, header } = await send('/initialize');
    assert.equal(status, 200);
    assert.equal(body['protocolVersion'], '2025-11-25');
    assert.equal(typeof body['session_id'], 'string');
    assert.equal(header('mcp-session-id'), body['session_id']);
    assert.equal((await send('/initialize', {})).status, 200);
  });

  it('POST /initialize takes the params of initialize and refuses wrong ones', async () => {
    const { body } = await send('/initialize', { protocolVersion: '2024-11-05', capabilities: {} });
    assert.equal(body['protocolVersion'], '2024-11-05');
    const wrong = await send('/initialize', { clientInfo: { name: 1 } });
    assert.deepEqual([wrong.status, wrong.body.error?.code], [400, 'INVALID_ARGUMENT']);
    assert.equal((await send('/initialize', '[]')).status, 400);
  });

  it('GET /tools/list lists the tools, sorted', async () => {
    const response = await fetch(`${running.url}/tools/list`);
    const { tools } = (await response.json()) as { tools: { name: string }[] };
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['things_echo', 'things_fail', 'things_wait'],
    );
  });

  it('POST /tools/call takes name and arguments, or tool and input', async () => {
    const args = { text: 'hi' };
    for (const body of [
      { name: 'things_echo', arguments: args },
      { tool: 'things_echo', input: args },
      { name: 'things_echo', input: args },
    ]) {
      const answer = await send('/tools/call', body);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, RESULT);
    }
  });

  it('refuses query parameters that it does not know, as REST routes do', async () => {
    const call = { name: 'things_echo', arguments: { text: 'hi' } };
    for (const [path, body] of [
      ['/initialize', {}],
      ['/tools/call', call],
      ['/tools/things_echo', call.arguments],
    ] as const) {
      const { status, body: answer } = await send(`${path}?text=hi`, body);
      assert.deepEqual([status, answer.error?.code], [400, 'INVALID_ARGUMENT'], path);
      assert.match(answer.error?.message ?? '', /text: is not a known query parameter.* in the body/);
      assert.equal((await send(`${path}?toolset=complete&readonly=false`, body)).status, 200, path);
    }
    const listed = await fetch(`${running.url}/tools/list?cursor=2`);
    assert.equal(listed.status, 400);
    assert.match(await listed.text(), /cursor: .* toolset and readonly/);
    const rpc = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
    const { status, body } = await send('/rpc?cursor=2', rpc);
    assert.deepEqual([status, body['id'], body.error?.code], [200, 7, ERRORS.INVALID_ARGUMENT.rpc]);
  });

  it('POST /tools/call refuses unknown and malformed fields', async () => {
    for (const [body, path] of [
      [{ name: 'things_echo', args: {} }, '/args'],
      [{ name: 'things_echo', tool: 'things_echo' }, '/tool'],
      [{ name: 'things_echo', arguments: {}, input: {} }, '/input'],
      [{ arguments: {} }, '/name'],
      [{ name: 7 }, '/name'],
      [{ name: 'things_echo', arguments: 'x' }, '/arguments'],
      [{ name: 'things_echo', arguments: { text: 1 } }, '/text'],
    ] as const) {
      const answer = await send('/tools/call', body);
      assert.equal(answer.status, 400);
      const details = answer.body.error?.details as { issues: { path: string }[] };
      assert.deepEqual([answer.body.error?.code, details.issues[0]?.path], ['INVALID_ARGUMENT', path]);
    }
  });

  it('POST /tools/:name takes the arguments as the body', async () => {
    const answer = await send('/tools/things_echo', { text: 'hi' });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, RESULT);
    const empty = await send('/tools/things_echo');
    assert.deepEqual([empty.status, empty.body.error?.code], [400, 'INVALID_ARGUMENT']);
    const unknown = await send('/tools/no_such', {});
    assert.deepEqual([unknown.status, unknown.body.error?.code], [404, 'UNKNOWN_TOOL']);
    assert.equal((await send('/tools/list', {})).status, 404);
  });

  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    it(`answers ${code} with ${ERRORS[code].http}`, async () => {
      const error = { code, message: 'Failed as asked. Ask for less.', details: { asked: code } };
      for (const answer of [
        await send('/tools/things_fail', { code }),
        await send('/tools/call', { name: 'things_fail', arguments: { code } }),
      ]) {
        assert.equal(answer.status, ERRORS[code].http);
        assert.deepEqual(answer.body, { error });
      }
    });
  }

  it('answers broken bodies with their status', async () => {
    for (const path of ['/initialize', '/tools/call', '/tools/things_echo']) {
      assert.equal((await send(path, '{')).body.error?.code, 'PARSE_ERROR');
      assert.equal((await send(path, '{}', { 'content-type': 'text/plain' })).status, 415);
      assert.equal((await send(path, { text: 'x'.repeat(2_100_000) })).status, 413);
      assert.equal((await send(path, '['.repeat(5000) + ']'.repeat(5000))).status, 400);
      assert.equal((await send(path, `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`)).status, 400);
    }
    assert.equal((await send('/tools/things_fail', { code: 'x'.repeat(1_100_000) })).status, 413);
  });

  it('answers a method that an address does not take in its own format, and names those that it takes', async () => {
    const answered = async (method: string, path: string) => {
      const response = await fetch(running.url + path, { method });
      const { error, jsonrpc } = (await response.json()) as { error: { code: unknown }; jsonrpc?: string };
      return [response.status, response.headers.get('allow'), error.code, jsonrpc];
    };
    const { http, rpc } = ERRORS.METHOD_NOT_ALLOWED;
    assert.deepEqual(await answered('GET', '/rpc'), [http, 'POST', rpc, '2.0']);
    for (const path of ['/initialize', '/tools/call', '/tools/things_echo'])
      assert.deepEqual(await answered('GET', path), [http, 'POST', 'METHOD_NOT_ALLOWED', undefined]);
  });

  it('takes a body in chunks that has none for one that was left out', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, duplex: 'half' as const };
    const empty = (path: string) => fetch(running.url + path, { ...init, body: new Blob([]).stream() });
    assert.equal((await empty('/initialize')).status, 200);
    const answer = (await (await empty('/rpc')).json()) as { error: { code: number } };
    assert.equal(answer.error.code, ERRORS.PARSE_ERROR.rpc);
  });

  it('answers an unknown session with 404', async () => {
    const session = { 'mcp-session-id': 'nope' };
    const answer = await send('/tools/things_echo', { text: 'hi' }, session);
    assert.deepEqual([answer.status, answer.body.error?.code], [404, 'UNKNOWN_SESSION']);
    assert.equal((await fetch(`${running.url}/tools/list`, { headers: session })).status, 404);
  });
});
