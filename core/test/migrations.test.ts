import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from '@service-mcp/core';
import { assemble, copyDatabase, start } from '@service-mcp/core/host';
import { eachDatabase, onDatabase, testHost } from '@service-mcp/core/testing';
import { demo, echo, refuses } from './fixtures.js';

describe('a start refuses', () => {
  it('a failing migration, and keeps nothing of it', async () => {
    const migrations = [
      {
        id: '001_half',
        async up(sql: Sql) {
          await sql.schema.createTable('half', (table) => table.text('id'));
          await sql.raw('INSERT INTO nowhere VALUES (1)');
        },
      },
    ];
    await refuses(
      () => testHost({ plugins: [demo([], { migrations })], template: false }),
      /migration demo\/001_half/,
      /Nothing of this step was kept/,
    );
  });

  eachDatabase((fresh) => {
    it('a step that commits by itself and fails, says what is kept, and does not take it for applied', async () => {
      const database = await fresh();
      const migrations = [
        {
          id: '001_half',
          async up(sql: Sql) {
            await sql.schema.createTable('half', (table) => table.text('id'));
            await sql.raw('COMMIT');
            await sql.raw('INSERT INTO nowhere VALUES (1)');
          },
        },
      ];
      const opens = () => testHost({ database, plugins: [demo([], { migrations })], template: false });
      await refuses(
        opens,
        /migration demo\/001_half/,
        /What it did until then is kept\. Restore the backup/,
        /ended its transaction itself/,
      );
      await refuses(opens, /migration demo\/001_half/, /Nothing of this step was kept/, /half.*exists/);
    });
  });

  it('a database that a later version of a plugin migrated, and changes nothing', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-later-'));
    const opens = async (...names: string[]) => {
      const migrations = names.map((id) => ({
        id,
        up: (sql: Sql) => sql.schema.createTable(id, (table) => table.text('id')),
      }));
      const loaded = assemble(
        { log: { level: 'silent' } },
        [demo([echo()], { migrations })],
        [],
        {},
        { dataDir },
      );
      await (await start(loaded, { listen: false })).stop();
    };
    await opens('001_one', '002_two');
    await refuses(
      () => opens('001_one', '003_three'),
      /^database$/,
      /backup/,
      /"demo".*demo\/002_two.*renamed/,
    );
    await opens('001_one', '002_two', '003_three'); // Fails where the refused start has made a table.
    await rm(dataDir, { recursive: true });
  });
});

onDatabase('postgresql', (fresh) => {
  it('takes an embedded database over, which nothing opens any more', async () => {
    const { env, dataDir } = await fresh();
    const load = (more: Readonly<Record<string, string>>) =>
      assemble({ log: { level: 'silent' } }, [], [], more, { dataDir });
    await writeFile(join(dataDir, 'service.db'), '');
    const { copied, movedTo } = await copyDatabase(load(env), dataDir);
    assert.ok(copied.size > 0);
    assert.equal(movedTo, join(dataDir, 'service.db.moved'));
    assert.deepEqual((await readdir(dataDir)).sort(), ['on-postgresql', 'service.db.moved']);
    await refuses(
      () => copyDatabase(load(env), dataDir),
      /^--from$/,
      /rename it to service\.db/,
      /not exist/,
    );
  });

  it('refuses to take over an embedded database that others use', async () => {
    const { env, dataDir } = await fresh();
    const load = (more: Readonly<Record<string, string>>) =>
      assemble({ log: { level: 'silent' } }, [], [], more, { dataDir });
    const running = await start(load({}), { listen: false });
    await refuses(
      () => copyDatabase(load(env), dataDir),
      /^--from$/,
      /Stop the service and its workers.*Nothing was copied/,
      /another process uses .*service\.db/,
    );
    assert.ok(existsSync(join(dataDir, 'service.db')));
    await running.stop();
  });

  it('notes in the data folder of a service that its database is elsewhere', async () => {
    const database = await fresh();
    for (const isService of [false, true]) {
      const host = await testHost({ database, plugins: [], isService, template: false });
      await host.stop();
      assert.deepEqual(await readdir(database.dataDir), isService ? ['on-postgresql'] : []);
    }
  });
});
