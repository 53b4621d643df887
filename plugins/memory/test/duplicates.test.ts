import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import { findExactCopies } from '#memory/migrations/014-find-exact-copies.js';
import { inNewWorkspaces, storeEvent } from './start-memory.js';
import { importLines } from './transfer.js';

eachDatabase((fresh, engine) => {
  describe('what repeats other records', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), { workers: false });

    const shard = (n: number) => ({
      title: `Ran the tests of shard ${n}`,
      content: `Ran the tests of shard ${n} of the billing service: all of them passed without a fault.`,
    });
    const importShards = (count: number) =>
      importLines(
        host,
        { workspace_id },
        Array.from({ length: count }, (_, n) => ({
          record: 'event',
          id: `e${n}`,
          event_type: 'note',
          ...shard(n),
        })),
      );
    const isRefused = (n: number) =>
      rejects(storeEvent(host, { workspace_id, ...shard(n), on_duplicate: 'reject' }), 'CONFLICT');

    it('finds an exact copy behind hundreds of newer records of one pattern', async () => {
      await importShards(400);
      for (let n = 0; n < 10; n++) await isRefused(n);
    });

    it('finds an exact copy that was stored before copies had bands of their own', async () => {
      await importShards(1);
      await host.database.transaction(async (sql) => {
        await sql('memory_bands').delete();
        await findExactCopies.up(sql, engine);
      });
      await isRefused(0);
    });
  });
});
