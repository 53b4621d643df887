import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onDatabase, rejects } from '@service-mcp/core/testing';

type Done = (error: Error | null) => void;

/** Holds every sync of a file until the test lets it end. */
function heldSyncs() {
  const original = fs.fdatasync;
  const held: Done[] = [];
  const replace = (with_: typeof fs.fdatasync) => {
    fs.fdatasync = with_;
    syncBuiltinESMExports();
  };
  const hold = (_descriptor: number, done: Done) => void held.push(done);
  replace(Object.assign(hold, { __promisify__: original.__promisify__ }));
  return {
    held,
    async next(error: Error | null = null) {
      while (held.length === 0) await new Promise(setImmediate);
      held.shift()?.(error);
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    },
    restore: () => replace(original),
  };
}

onDatabase('sqlite', (fresh) => {
  describe('a commit to SQLite', () => {
    it('is acknowledged when it is on the disk, and nothing else waits for that', async () => {
      const made = await fresh();
      const database = await made.open();
      await database.sql.raw('CREATE TABLE notes (words TEXT)');
      const syncs = heldSyncs();
      const acknowledged: string[] = [];
      const write = async (words: string) => {
        await database.sql('notes').insert({ words });
        acknowledged.push(words);
      };
      try {
        const writes = [write('first')];
        while (syncs.held.length === 0) await new Promise(setImmediate);
        writes.push(
          write('second'),
          database.transaction(async (sql) => {
            await sql('notes').insert({ words: 'third' });
          }),
        );
        assert.equal((await database.transaction((sql) => sql('notes').select())).length, 3, 'reads');
        assert.deepEqual([acknowledged, syncs.held.length], [[], 1], 'one sync at a time');
        await syncs.next();
        assert.deepEqual([acknowledged, syncs.held.length], [['first'], 1], 'the next is for both');
        await syncs.next();
        await Promise.all(writes);
        assert.equal(syncs.held.length, 0);
      } finally {
        syncs.restore();
        await database.close();
      }
    });

    it('that its disk did not take is an error, and the next is tried again', async () => {
      const made = await fresh();
      const database = await made.open();
      await database.sql.raw('CREATE TABLE notes (words TEXT)');
      const syncs = heldSyncs();
      try {
        for (const [code, reason] of [
          ['EIO', 'disk_failing'],
          ['ENOSPC', 'disk_full'],
        ] as const) {
          const refused = rejects(database.sql('notes').insert({ words: code }), 'UNAVAILABLE');
          await syncs.next(Object.assign(new Error(code), { code }));
          assert.equal((await refused).details?.['reason'], reason);
        }
        const written = database.transaction((sql) => sql('notes').insert({ words: 'ok' }));
        await syncs.next();
        await written;
      } finally {
        syncs.restore();
        await database.close();
      }
    });
  });
});
