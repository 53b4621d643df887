import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import Koa from 'koa';
import { ServiceError } from '@service-mcp/core';
import { openEventStream } from '@service-mcp/core/http';

const BEAT_MS = 15_000;

describe('an event stream', () => {
  let server: Server;
  let reader: IncomingMessage;
  let check: () => Promise<unknown>;
  let checks: number;

  beforeEach(async () => {
    checks = 0;
    mock.timers.enable({ apis: ['setInterval'] });
    const koa = new Koa();
    koa.use((ctx) => {
      openEventStream(ctx, () => {
        checks += 1;
        return check();
      });
    });
    server = createServer(koa.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    [reader] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage];
    reader.resume();
  });
  afterEach(() => {
    mock.timers.reset();
    reader.destroy();
    server.close();
  });

  async function beat(times = 1): Promise<void> {
    for (let i = 0; i < times; i++) {
      mock.timers.tick(BEAT_MS);
      await turn();
    }
  }

  const away = () => Promise.reject(new ServiceError('UNAVAILABLE', 'Away.'));

  it('outlives three checks in a row that the service could not answer', async () => {
    for (let i = 0; i < 2; i++) {
      check = away;
      await beat(3);
      check = () => Promise.resolve();
      await beat();
    }
    assert.equal(checks, 8);
    check = away;
    const ended = once(reader, 'end');
    await beat(4);
    await ended;
    await beat();
    assert.equal(checks, 12);
  });

  it('ends with the first check that refuses the caller', async () => {
    check = () => Promise.reject(new ServiceError('UNAUTHENTICATED', 'Revoked.'));
    const ended = once(reader, 'end');
    await beat();
    await ended;
  });

  it('sends comments, and starts no other check, while one is under way', async () => {
    let pass = (): void => undefined;
    check = () => new Promise<void>((resolve) => (pass = resolve));
    for (let i = 0; i < 3; i++) {
      const comment = once(reader, 'data');
      await beat();
      assert.equal(String((await comment)[0]), ':\n\n');
    }
    assert.equal(checks, 1);
    pass();
    await turn();
    await beat();
    assert.equal(checks, 2);
  });
});
