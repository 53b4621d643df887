import assert from 'node:assert/strict';
import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { onDatabase, rejects, testHost } from '@service-mcp/core/testing';

onDatabase('sqlite', (fresh) => {
  describe('a database whose file was deleted, moved or replaced under the service', () => {
    it('takes no writes, which would be lost, until the file is back', async () => {
      const made = await fresh();
      const file = join(made.dataDir, 'service.db');
      const host = await testHost({ database: made, listen: true, workers: false });
      const { database } = host;
      const write = async () => database.sql('notes').insert({ text: 'x' });
      const ready = async () => {
        const answer = await fetch(`${host.url}/ready`);
        return `${answer.status} ${await answer.text()}`;
      };
      try {
        await database.sql.raw('CREATE TABLE notes (text TEXT)');
        await write();
        await rename(file, `${file}.moved`);
        const error = await rejects(write(), 'UNAVAILABLE', /moved or replaced.*operator/);
        assert.deepEqual(error.details, { reason: 'file_gone', retry_after: 10 });
        await rejects(
          database.transaction(async (sql) => sql('notes').insert({ text: 'y' })),
          'UNAVAILABLE',
        );
        assert.equal((await database.sql('notes')).length, 1, 'reading works');
        assert.match(await ready(), /^503 .*moved or replaced/);
        await copyFile(`${file}.moved`, file); // as a restore under the running service
        await rejects(write(), 'UNAVAILABLE', /moved or replaced/);
        await rename(`${file}.moved`, file);
        await write();
        assert.equal((await database.sql('notes')).length, 2);
      } finally {
        await host.stop();
      }
    });
  });
});
