import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { onDatabase } from '@service-mcp/core/testing';
import { authHost, withKey } from './support.js';

onDatabase('sqlite', (fresh) => {
  describe('a database that takes no writes', () => {
    it('does not keep a service from stopping, which has the use of a key to save', async () => {
      const database = await fresh();
      const host = await authHost(database);
      const key = await host.makeKey(await host.register('a@example.com'));
      await host.as(withKey(key), 'auth_me');
      const files = (await readdir(database.dataDir)).filter((name) => name.includes('.db'));
      assert.ok(files.length > 0);
      for (const name of files) await rm(join(database.dataDir, name));
      await host.stop();
    });
  });
});
