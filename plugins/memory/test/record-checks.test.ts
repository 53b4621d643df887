import assert from 'node:assert/strict';
import type { Sql } from '@service-mcp/core';
import { behindLock, eachDatabase, type TestHost } from '@service-mcp/core/testing';
import { checkRecords } from '#memory/services/record-checks.js';
import { inNewWorkspaces, storeEvent } from './start-memory.js';
import { importLines } from './transfer.js';

eachDatabase((fresh, engine) => {
  describe('the checks of records', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), { workers: false });

    /** The records that the report says are repeated, once all are checked. */
    const repeated = async (): Promise<number> => {
      while ((await checkRecords(host.database, workspace_id)) > 0);
      const { items } = await host.use<{ items: ReadonlyArray<{ reason: string }> }>('memory_hygiene', {
        workspace_id,
      });
      return items.reduce((sum, { reason }) => sum + Number.parseInt(reason, 10), 0);
    };

    it('end after the record during which their time is over, and leave the others to the next batch', async () => {
      const content = 'The nightly report of the warehouse counts pallets, parcels and drivers.';
      for (const title of ['Report', 'A report', 'The report'])
        await storeEvent(host, { workspace_id, title, content });
      const { database } = host;
      const batches: number[] = [];
      for (let checked = -1; checked !== 0; batches.push(checked))
        checked = await checkRecords(database, workspace_id, 0);
      assert.deepEqual(batches, [1, 1, 1, 0]);
      const { items } = await host.use<{ items: ReadonlyArray<{ kind: string; ids: string[] }> }>(
        'memory_hygiene',
        { workspace_id },
      );
      assert.deepEqual(
        items.map(({ kind, ids }) => [kind, ids.length]),
        [['duplicate', 3]],
      );
    });

    // SQLite has one writer at a time.
    if (engine === 'postgresql')
      it('leave no finding of a workspace that is deleted meanwhile', async () => {
        const { database } = host;
        const { id } = await host.use<{ id: string }>('workspaces_create', { name: 'short-lived' });
        const { id: record_id } = await storeEvent(host, { workspace_id: id, title: 'x', content: 'x' });
        const findings = (sql: Sql) => sql('memory_findings').where({ record_id });
        const own = {
          record_id,
          other_id: '',
          kind: 'junk',
          record_kind: 'event',
          workspace_id: id,
          reason: '',
        };
        const settled = await behindLock<unknown>(
          database,
          async (sql) => {
            await sql('memory_findings').insert(own); // so that the check waits with its own, and finds none in the end
            await findings(sql).delete();
          },
          [() => checkRecords(database, id), () => host.use('workspaces_delete', { workspace_id: id })],
        );
        assert.deepEqual(
          settled.map(({ status }) => status),
          ['fulfilled', 'fulfilled'],
        );
        assert.deepEqual(await findings(database.sql), []);
      });

    it('keep the duplicates that other records found, also of records that are checked again', async () => {
      const content = 'Ran the tests of the billing service: all of them passed without a fault.';
      const lines = Array.from({ length: 70 }, (_, n) => ({
        record: 'event',
        id: `e${n}`,
        event_type: 'note',
        title: 'Ran the tests',
        content,
      }));
      await importLines(host, { workspace_id }, lines);
      assert.equal(await repeated(), 70);
      const { items } = await host.use<{ items: ReadonlyArray<{ id: string }> }>('memory_list_events', {
        workspace_id,
        per_page: 100,
      });
      for (const { id: event_id } of items.slice(0, 20))
        await host.use('memory_update_event', { event_id, tags: ['ci'] });
      assert.equal(await repeated(), 70);
      const [changed, deleted] = items;
      const other = { title: 'Moved', content: 'The office is in another street from now on.' };
      await host.use('memory_update_event', { event_id: changed?.id, ...other });
      await host.use('memory_delete_event', { event_id: deleted?.id });
      assert.equal(await repeated(), 68);
    });

    it('name of many copies few to each, so that the change of one leaves the others alone', async () => {
      const lines = Array.from({ length: 80 }, (_, n) => ({
        record: 'event',
        id: `e${n}`,
        event_type: 'note',
        title: 'Ran the tests',
        content: 'Ran the tests of the billing service: all of them passed without a fault.',
      }));
      await importLines(host, { workspace_id }, lines);
      assert.equal(await repeated(), 80);
      const { sql } = host.database;
      const [most] = (await sql('memory_findings')
        .where({ workspace_id })
        .groupBy('other_id')
        .count({ n: '*' })
        .orderBy('n', 'desc')
        .limit(1)
        .select('other_id')) as Array<{ other_id: string; n: number }>;
      assert.ok(Number(most?.n) <= 20, `one is named by ${most?.n}`);
      await host.use('memory_delete_event', { event_id: most?.other_id });
      let checked = 0;
      for (let some = -1; some !== 0; checked += some) some = await checkRecords(host.database, workspace_id);
      assert.ok(checked <= 40, `${checked} were checked`);
      assert.equal(await repeated(), 79);
    });
  });
});
