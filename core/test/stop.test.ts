import assert from 'node:assert/strict';
import { definePlugin, provide, token } from '@service-mcp/core';
import { testHost } from '@service-mcp/core/testing';

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
});
