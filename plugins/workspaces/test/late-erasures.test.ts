import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkspaceData, contribute, definePlugin, workspaceRows } from '@service-mcp/core';
import { eachDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';
import { ProjectData } from '@service-mcp/plugin-workspaces/contract';

/** Keeps a row of each project, and erases it with the project or the workspace. */
const keeperOf = (id: string) =>
  definePlugin({
    id,
    description: 'Keeps rows.',
    api: '^1',
    requires: ['workspaces'],
    migrations: [
      {
        id: `001_create_${id}`,
        async up(sql) {
          await sql.schema.createTable(id, (table) => {
            table.text('workspace_id').notNullable();
            table.text('project_id').notNullable();
          });
        },
      },
    ],
    services: [
      workspaceRows([{ table: id }]),
      contribute(ProjectData, {
        uses: {},
        create: (): ProjectData => ({
          async erase(sql, project_id) {
            await sql(id).where({ project_id }).delete();
          },
        }),
      }),
    ],
  });
const [notes, marks] = [keeperOf('notes'), keeperOf('marks')];

eachDatabase((fresh) => {
  it('what is deleted while a plugin is disabled is erased once it is enabled again', async () => {
    const database = await fresh();
    let host: TestHost | undefined;
    const restart = async (...plugins: (typeof notes)[]) => {
      await host?.stop();
      return (host = await testHost({ plugins: [workspaces, ...plugins], database }));
    };
    try {
      const first = await restart(notes, marks);
      const create = async (tool: string, args: object) => (await first.use<{ id: string }>(tool, args)).id;
      const [kept, gone] = [
        await create('workspaces_create', { name: 'kept' }),
        await create('workspaces_create', { name: 'gone' }),
      ];
      let failsFor: string | undefined;
      const fail = (id: string) => {
        if ((failsFor ??= id) === id) throw new Error('it fails');
      };
      const failing = definePlugin({
        id: 'failing',
        description: 'Cannot erase the first that it is asked for.',
        api: '^1',
        requires: ['workspaces'],
        services: [
          contribute(WorkspaceData, { uses: {}, create: () => ({ erase: async (_sql, id) => fail(id) }) }),
          contribute(ProjectData, { uses: {}, create: () => ({ erase: async (_sql, id) => fail(id) }) }),
        ],
      });
      const places: Array<{ workspace_id: string; project_id: string }> = [];
      for (const [workspace_id, name] of [
        [kept, 'stays'],
        [kept, 'goes'],
        [gone, 'goes'],
        [gone, 'goes too'],
      ])
        places.push({
          workspace_id: workspace_id as string,
          project_id: await create('projects_create', { workspace_id, name }),
        });
      const [stays, ...others] = places;
      for (const table of ['notes', 'marks']) await first.database.sql(table).insert(places);

      const without = await restart();
      for (const { project_id } of others.slice(0, 2)) await without.use('projects_delete', { project_id });
      await without.use('workspaces_delete', { workspace_id: gone });
      const rowsOf = (table: string) => (host as TestHost).database.sql(table).select('*');
      assert.equal((await rowsOf('notes')).length, places.length);

      /** Waits for the worker, whose last step it is to forget what it has done. */
      const settled = async (left: number) => {
        for (let tries = 0; (await rowsOf('late_erasures')).length !== left; tries += 1) {
          assert.ok(tries < 500, JSON.stringify(await rowsOf('late_erasures')));
          await sleep(20);
        }
      };
      await restart(notes);
      await settled(2);
      assert.deepEqual(await rowsOf('notes'), [stays]);
      assert.equal((await rowsOf('marks')).length, places.length);
      await restart(notes, marks, failing);
      await settled(1);
      const failed = (await rowsOf('late_erasures'))[0].id;
      assert.equal(failed, failsFor);
      assert.ok((await rowsOf('marks')).length > 1, 'what it failed for is left whole');
      await restart(notes, marks);
      await settled(0);
      assert.deepEqual(await rowsOf('marks'), [stays]);
    } finally {
      await host?.stop();
    }
  });
});
