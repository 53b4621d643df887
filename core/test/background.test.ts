import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Type } from 'typebox';
import {
  Events,
  Log,
  closed,
  defineTool,
  defineWorker,
  provide,
  token,
  type Migration,
  type Sql,
} from '@service-mcp/core';
import { assemble, start } from '@service-mcp/core/host';
import { eachDatabase, freshDatabase, newProcessId, probe, testHost } from '@service-mcp/core/testing';
import { demo, until } from './fixtures.js';

describe('work apart, while there is none', () => {
  it('is asked for ever more rarely, and at once at an event', async () => {
    let asked = 0;
    let events: Events | undefined;
    const Handle = token<object>('demo.Handle');
    const made = await freshDatabase('sqlite');
    const plugin = demo([], {
      services: [provide(Handle, { uses: { events: Events }, create: (deps) => ({ events } = deps) })],
      workers: [
        defineWorker({
          id: 'demo.worker',
          uses: { handle: Handle },
          everyMs: 20,
          wakeOn: ['demo.woke'],
          apart: { hasWork: () => Promise.resolve((asked += 1) < 0) },
          run: () => assert.fail('it runs here'),
        }),
      ],
    });
    const loaded = assemble(
      { log: { level: 'silent' } },
      [plugin],
      [],
      {},
      { dataDir: made.dataDir, port: 0 },
    );
    const host = await start(loaded, { spawnWorker: () => assert.fail('a process is started') });
    try {
      await setTimeout(2000);
      assert.ok(asked > 2 && asked < 12, `asked ${asked} times`); // 20, 20, 40, 80 … ms apart, in place of 100 times
      const before = asked;
      events?.wake('demo.woke');
      await until(() => asked > before);
    } finally {
      await host.stop();
      await made.drop();
    }
  });
});

eachDatabase((fresh) => {
  describe('the database', () => {
    it('does not count as reachable when its file was taken away', async () => {
      const made = await fresh();
      const file = join(made.dataDir, 'service.db');
      const database = await made.open();
      await database.ping();
      if (made.engine === 'sqlite') {
        await rm(file);
        await assert.rejects(database.ping());
        await writeFile(file, '');
        await assert.rejects(database.ping());
      }
      await database.close();
    });
  });

  describe('migrations', () => {
    it('run once, in order of requires, even when two processes start at once', async () => {
      const ran: string[] = [];
      const step = (id: string): Migration => ({
        id,
        async up(sql: Sql) {
          ran.push(id);
          await sql.schema.createTable(`t_${id}`, (table) => table.text('id'));
        },
      });
      const plugins = [
        demo([], { id: 'late', requires: ['early'], toolsets: [], migrations: [step('003')] }),
        demo([], { id: 'early', toolsets: [], migrations: [step('002'), step('001')] }),
      ];
      const database = await fresh();
      const options = { plugins, database, template: false };
      const hosts = await Promise.all([testHost(options), testHost(options)]);
      assert.deepEqual(ran, ['001', '002', '003']);
      for (const host of hosts) await host.stop();
    });
  });

  describe('workers', () => {
    it('run at once while more waits, wake at an event, and retry after a failure', async () => {
      let rounds = 0;
      const Handle = token<Events>('demo.Handle');
      let events: Events | undefined;
      const host = await testHost({
        database: await fresh(),
        plugins: [
          demo([], {
            services: [
              provide(Handle, {
                uses: { events: Events, log: Log },
                create: (deps) => (events = deps.events),
              }),
            ],
            workers: [
              defineWorker({
                id: 'demo.worker',
                uses: { handle: Handle },
                everyMs: 1_000_000,
                wakeOn: ['demo.woke'],
                run() {
                  rounds++;
                  if (rounds === 4) throw new Error('once');
                  return Promise.resolve({ more: rounds < 3 });
                },
              }),
            ],
          }),
        ],
      });
      await until(() => rounds === 3);
      events?.wake('demo.woke');
      await until(() => rounds === 5); // the fourth failed and was tried again
      events?.wake('demo.woke');
      await until(() => rounds === 6);
      await host.stop();
    });

    it('an exclusive one runs in one process, and moves when that stops', async () => {
      const database = await fresh();
      const runs: string[] = [];
      const plugin = (name: string) =>
        demo([], {
          workers: [
            defineWorker({
              id: 'demo.exclusive',
              uses: {},
              everyMs: 10,
              exclusive: true,
              run() {
                runs.push(name);
                return Promise.resolve({ more: false });
              },
            }),
          ],
        });
      const first = await testHost({ plugins: [plugin('first')], database });
      await until(() => runs.length > 2);
      const second = await testHost({ plugins: [plugin('second')], database });
      await until(() => runs.length > 10);
      assert.ok(!runs.includes('second'));
      await first.stop();
      await until(() => runs.includes('second'));
      await second.stop();
    });

    it('takes over at once from a process of this machine that died', async () => {
      const database = await fresh();
      let ran = false;
      const db = await database.open();
      await (await testHost({ database })).stop(); // makes the tables
      await db.sql('leases').insert({
        name: 'worker:demo.exclusive',
        holder: newProcessId(2 ** 22 - 1),
        expires_at: '2999-01-01T00:00:00.000Z',
      });
      const worker = defineWorker({
        id: 'demo.exclusive',
        uses: {},
        everyMs: 10,
        exclusive: true,
        run: () => ((ran = true), Promise.resolve({ more: false })),
      });
      const host = await testHost({ plugins: [demo([], { workers: [worker] })], database });
      await until(() => ran);
      await host.stop();
      await db.close();
    });
  });

  describe('change events', () => {
    it('are written with the change, announced once after the commit, and read in order', async () => {
      const Handle = token<Events>('demo.Handle');
      let events: Events | undefined;
      const host = await testHost({
        database: await fresh(),
        plugins: [
          demo([], {
            events: ['a', 'b'].map((type) => ({
              type,
              description: 'For tests.',
              scope: 'demo:read',
              data: Type.Object({}),
            })),
            services: [
              provide(Handle, { uses: { events: Events }, create: (deps) => (events = deps.events) }),
            ],
          }),
        ],
      });
      assert.ok(events);
      let heard = 0;
      const unlisten = events.listen(['a'], () => heard++);
      await events.change(async (_sql, record) => {
        for (let n = 0; n < 250; n += 1) record({ type: 'a', workspaceId: null, data: { n } });
        assert.equal(heard, 0, 'nothing is announced before the commit');
      });
      assert.equal(heard, 1);
      await assert.rejects(
        events.change(async (_sql, record) => {
          record({ type: 'a', workspaceId: 'w', data: {} });
          throw new Error('rolled back');
        }),
      );
      assert.equal(heard, 1, 'a change that failed is not announced');
      events.wake('a');
      assert.equal(heard, 2);
      unlisten();
      events.wake('a');
      assert.equal(heard, 2);
      const rows = (await host.database.sql('change_events').orderBy('id').select('data')) as {
        data: string;
      }[];
      assert.deepEqual(
        rows.map((row) => (JSON.parse(row.data) as { n: number }).n),
        Array.from({ length: 250 }, (_, n) => n),
      );
      await host.stop();
    });

    it('are announced to every listener, also beside one that throws, with any type', async () => {
      const make = defineTool({
        name: 'demo_make',
        title: 'Make',
        description: 'Records an event.',
        input: Type.Object({}, closed),
        output: Type.Object({}, closed),
        effect: 'create',
        access: { scope: 'demo:write', in: 'deployment' },
        uses: { events: Events },
        handler: async (_input, { events }) => {
          await events.change(async (_sql, record) => record({ type: 'error', workspaceId: null, data: {} }));
          return {};
        },
      });
      const { plugin, services } = probe({ events: Events });
      const error = { type: 'error', description: 'X', scope: 'demo:read', data: Type.Object({}) };
      const host = await testHost({
        database: await fresh(),
        plugins: [demo([make], { events: [error], services: plugin.services })],
        workers: false,
      });
      const { events } = services();
      const heard: string[] = [];
      events.listen(['error'], () => {
        throw new Error('a listener of another plugin');
      });
      events.listen(['error'], () => heard.push('second'));
      for (let time = 0; time < 2; time += 1)
        assert.deepEqual(await host.use('demo_make', {}, { idempotencyKey: 'told' }), {});
      assert.deepEqual(heard, ['second'], 'the second call is answered with the result of the first');
      assert.equal((await host.database.sql('change_events')).length, 1);
      await host.stop();
    });
  });
});
