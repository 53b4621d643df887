import assert from 'node:assert/strict';
import { eachDatabase, type TestHost } from '@service-mcp/core/testing';
import { checkRecords } from '#memory/services/record-checks.js';
import { inNewWorkspaces, storeEvent } from './start-memory.js';

eachDatabase((fresh) => {
  describe('the checks of records', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), { workers: false });

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
  });
});
