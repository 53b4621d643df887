import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { defineTransport } from '@service-mcp/core';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import { demo, echo } from './fixtures.js';

const MIB = 1024 * 1024;
const LARGE = JSON.stringify('x'.repeat(0.4 * MIB));

/** Emits `read` when a body was read; its call is answered after `answer`. */
const calls = new EventEmitter();

const keeper = defineTransport({
  id: 'keeper',
  description: 'For tests.',
  api: '^1',
  mount({ http }) {
    http.router.post('/keep', async (ctx) => {
      await http.call(ctx, 'rest');
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

  const send = (body: string) =>
    fetch(`${host.url}/keep`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

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

    const again = once(calls, 'read');
    const third = send(LARGE);
    await again;
    calls.emit('answer');
    assert.equal((await third).status, 200);
  });
});
