import assert from 'node:assert/strict';
import { startPlace, type Place } from '../clients/support/client-deployment.js';

const CANCELLED = /^(?:DEADLINE_EXCEEDED: )?The client cancelled this call/;
const EVENTS = 'application/json, text/event-stream';

/** The outcome of a call that its client cancelled with `notifications/cancelled`, by hand. */
describe('a cancelled call', () => {
  let place: Place;
  before(async () => {
    place = await startPlace();
  });
  after(() => place?.stop());

  for (const way of ['service', 'gateway'] as const) {
    const post = (path: string, body: object, headers: Readonly<Record<string, string>>) => {
      const server = place.server(way);
      assert.ok(server.kind === 'http');
      return fetch(new URL(path, server.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...server.headers, ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      });
    };

    /** Calls `work_wait` in a session and takes it back once it runs. */
    const cancelled = async (path: string, accept: string): Promise<Response> => {
      const key = `${way} ${path} ${accept}`;
      const start = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'raw', version: '1' },
      };
      const opened = await post(path, { id: 0, method: 'initialize', params: start }, { accept });
      const session = opened.headers.get('mcp-session-id');
      assert.ok(session);
      const headers = { accept, 'mcp-session-id': session };
      const params = { name: 'work_wait', arguments: { key } };
      const answer = post(path, { id: 'mine', method: 'tools/call', params }, headers);
      await place.begun(key);
      const cancel = { method: 'notifications/cancelled', params: { requestId: 'mine' } };
      assert.ok((await post(path, cancel, headers)).ok);
      assert.equal(await place.ended(key), 'cancelled');
      return answer;
    };

    it(`ends without an answer for a client of the ${way} that reads streams`, async () => {
      const answer = await cancelled('/mcp', EVENTS);
      assert.equal(answer.headers.get('content-type'), 'text/event-stream');
      assert.equal(await answer.text(), '');
    });

    it(`says so to one of the ${way} that reads JSON alone`, async () => {
      const answer = await cancelled('/mcp', 'application/json');
      const { id, result } = (await answer.json()) as {
        id: string;
        result: { isError: boolean; content: { text: string }[] };
      };
      assert.deepEqual([id, result.isError], ['mine', true]);
      assert.match(result.content[0]?.text ?? '', CANCELLED);
    });

    it(`says so over JSON-RPC of the ${way}`, async () => {
      const answer = await cancelled('/api/v1/rpc', 'application/json');
      const { error } = (await answer.json()) as { error: { message: string; data: { code: string } } };
      assert.equal(error.data.code, 'DEADLINE_EXCEEDED');
      assert.match(error.message, CANCELLED);
    });
  }
});
