import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { defineTransport } from '@service-mcp/core';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import { demo, echo } from './fixtures.js';

const MIB = 1024 * 1024;
const LARGE = JSON.stringify('x'.repeat(0.4 * MIB));

/** Emits `call` before a body is read and `read` after it; its call is answered after `answer`. `go` lets a late call read. */
const calls = new EventEmitter();

const keeper = defineTransport({
  id: 'keeper',
  description: 'For tests.',
  api: '^1',
  mount({ http }) {
    http.router.post('/keep', async (ctx) => {
      await http.call(ctx, 'rest');
      const go = ctx.get('x-late') === '' ? undefined : once(calls, 'go');
      calls.emit('call', ctx.res);
      await go;
      const body = await http.readJson(ctx, MIB);
      const answered = once(calls, 'answer');
      calls.emit('read');
      await answered;
      ctx.body = { length: String(body).length };
    });
  },
});

describe('bodies in memory', () => {
  let host: TestHost;
  before(async () => {
    const config = { limits: { body_bytes: MIB } };
    host = await testHost({ plugins: [demo([echo()])], transports: [keeper], config });
  });
  after(() => host.stop());

  const send = (body: string | ReadableStream) =>
    fetch(`${host.url}/keep`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      ...(typeof body !== 'string' && { duplex: 'half' }),
    });
  const sendChunked = (body: string) => send(new Blob([body]).stream());
  /** Sends the head of a large request, and nothing of its body. */
  const announce = async (header = '') => {
    const { hostname, port } = new URL(String(host.url));
    const called = once(calls, 'call') as Promise<[ServerResponse]>;
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /keep HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${LARGE.length}\r\n${header}\r\n`,
    );
    const [response] = await called;
    return { socket, response };
  };
  const assertTaken = async (body: string) => {
    const read = once(calls, 'read');
    const response = send(body);
    await Promise.race([read, response]);
    calls.emit('answer');
    assert.equal((await response).status, 200);
  };

  it('are refused beyond the half of one principal, until the calls before them are answered', async () => {
    const read = once(calls, 'read');
    const first = send(LARGE);
    await read;
    const refused = await send(LARGE);
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal(error.code, 'UNAVAILABLE');
    assert.match(error.message, /large requests/);

    const small = once(calls, 'read');
    const second = send('"small"');
    await small;
    calls.emit('answer');
    assert.equal((await first).status, 200);
    assert.equal((await second).status, 200);

    await assertTaken(LARGE);
  });

  it('count by what has come, not by what may come: in chunks, or announced', async () => {
    const read = once(calls, 'read');
    const first = send(LARGE);
    await read;
    assert.equal((await sendChunked(LARGE)).status, 503);
    const small = once(calls, 'read');
    const second = sendChunked('"small"');
    await Promise.race([small, second]);
    calls.emit('answer');
    assert.equal((await first).status, 200);
    assert.equal((await second).status, 200);

    const { socket, response } = await announce();
    await assertTaken(LARGE);
    const closed = once(response, 'close');
    socket.destroy();
    await closed;
  });

  it('of a client that left before its body was read are not held', async () => {
    const { socket, response } = await announce('X-Late: 1\r\n');
    const closed = once(response, 'close');
    socket.destroy();
    await closed;
    calls.emit('go');
    await assertTaken(LARGE);
  });
});
