import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import {
  closed,
  definePlugin,
  defineTool,
  defineTransport,
  provide,
  token,
  type ServiceError,
  type TransportContext,
} from '@service-mcp/core';
import { testHost } from '@service-mcp/core/testing';
import { Type } from 'typebox';

describe('the stop of a service', () => {
  it('ends all parts, also after one whose end fails, and tells the first failure', async () => {
    const ended: string[] = [];
    const service = (name: string, fails: boolean) =>
      provide(token<string>(`parts.${name}`), {
        uses: {},
        create: () => name,
        close: () => {
          ended.push(name);
          if (fails) throw new Error(`${name} does not end`);
        },
      });
    const services = [service('first', false), service('second', true), service('third', true)];
    const host = await testHost({
      plugins: [definePlugin({ id: 'parts', description: 'Parts that end', api: '1', services })],
    });
    await assert.rejects(host.stop(), /third does not end/);
    assert.deepEqual(ended, ['third', 'second', 'first']);
    await assert.rejects(host.database.ping(), 'the database is closed too');
  });

  it('aborts a call that a transport of its own waits for, after a while, and those that come later', async () => {
    let begun: () => void = () => undefined;
    const hangs = new Promise<void>((resolve) => (begun = resolve));
    const hang = defineTool({
      name: 'clock_hang',
      title: 'Hang',
      description: 'Never ends.',
      input: Type.Object({}, closed),
      output: Type.Object({}, closed),
      effect: 'read',
      access: { scope: 'clock:read', in: 'deployment' },
      level: 'light',
      uses: {},
      handler() {
        begun();
        return new Promise<never>(() => undefined);
      },
    });
    const running = new Set<Promise<unknown>>();
    const parts: TransportContext<unknown>[] = [];
    const transport = defineTransport({
      id: 'pigeon',
      description: 'Waits at its end for every call, however long it takes.',
      api: '^1',
      mount(context) {
        parts.push(context);
        return async () => {
          await Promise.allSettled(running);
          await assert.rejects(part.accept({ headers: {} }), { code: 'UNAVAILABLE' });
        };
      },
    });
    const host = await testHost({
      plugins: [
        definePlugin({
          id: 'clock',
          description: 'A tool that hangs.',
          api: '^1',
          toolsets: [{ id: 'clock', description: 'A tool that hangs.', tools: [hang] }],
        }),
      ],
      transports: [transport],
    });
    const [part] = parts as [TransportContext<unknown>];
    const call = await part.accept({ headers: {} });
    const outcome = part.catalog.call('clock_hang', {}, call).finally(() => call.finish());
    running.add(outcome);
    await hangs;
    const stopped = host.stop();
    await delay(1000);
    assert.equal(call.signal.aborted, false, 'it may end by itself at first');
    await assert.rejects(outcome, { code: 'UNAVAILABLE', message: /service is stopping/ });
    assert.equal((call.signal.reason as ServiceError).code, 'UNAVAILABLE');
    await stopped;
  });
});
