import assert from 'node:assert/strict';
import { definePlugin, type Plugin } from '@service-mcp/core';
import { eachDatabase, echo, type TestDatabase } from '@service-mcp/core/testing';
import { rpc, send, start, type Running } from './fixture.js';
import { changer, notes, revocable } from './plugins/notes.js';
import { bearer, Events, openSession } from './streams.js';

const LISTS = ['tools', 'resources', 'prompts'].map((list) => `notifications/${list}/list_changed`);
const things = definePlugin({
  id: 'things',
  description: 'One tool more.',
  api: '^1',
  toolsets: [{ id: 'things', description: 'All.', tools: [echo] }],
});

describe('mcp: a session whose service restarts with other tools', () => {
  eachDatabase((fresh) => {
    let database: TestDatabase;
    let running: Running | undefined;
    before(async () => (database = await fresh()));
    afterEach(() => running?.host.stop());

    async function restart(...plugins: readonly Plugin[]): Promise<string> {
      await running?.host.stop();
      running = await start({ plugins: [notes, revocable(new Set(['ann'])), ...plugins], database });
      return running.url;
    }

    it('hears of it at each new stream until it has listed its tools, and of nothing else', async () => {
      let url = await restart();
      const headers = await openSession(url, {}, bearer('ann'));
      await send(url, rpc('resources/subscribe', { uri: 'notes://ann/x' }), headers);
      /** The first notifications of a new stream, while a subscribed resource changes. */
      const hear = async (count: number) => {
        const accept = { accept: 'text/event-stream' };
        const stream = new Events(await fetch(url, { headers: { ...headers, ...accept } }));
        await changer.note('ann/x');
        const seen: unknown[] = [];
        while (seen.length < count) seen.push((await stream.next())?.method);
        await stream.close();
        return seen;
      };
      const update = ['notifications/resources/updated'];
      assert.deepEqual(await hear(1), update);
      url = await restart();
      assert.deepEqual(await hear(1), update, 'the same tools');
      url = await restart(things);
      assert.deepEqual(await hear(3), LISTS);
      assert.deepEqual(await hear(4), [...LISTS, ...update], 'a notice may be lost with its stream');
      const { body } = await send(url, rpc('tools/list', {}), headers);
      assert.match(JSON.stringify(body.result), /"things_echo"/);
      assert.deepEqual(await hear(1), update);
    });
  });
});
