import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';

eachDatabase((fresh) => {
  describe('migrations of workspaces', () => {
    it('002 knows of files that waited before it', async () => {
      const test = await fresh();
      const database = await test.open();
      const { sql, engine } = database;
      try {
        const [first, second] = workspaces.migrations;
        assert.ok(first && second);
        await first.up(sql, engine);
        const at = '2026-01-01T00:00:00.000Z';
        for (const id of ['waiting', 'done']) {
          await sql('projects').insert({
            id,
            workspace_id: 'w',
            name: id,
            description: '',
            created_at: at,
            updated_at: at,
          });
          await sql('files').insert({
            id: `file of ${id}`,
            workspace_id: 'w',
            project_id: id,
            path: 'a',
            sha256: '',
            bytes: 1,
            lines: 1,
            modified_at: at,
            deleted: 0,
            revision: 1,
            indexing_status: id === 'waiting' ? 'pending' : 'indexed',
            attempts: 0,
            next_attempt_at: '',
            chunks: 0,
          });
        }
        await second.up(sql, engine);
        const files = (await sql('files').orderBy('project_id').select('pending_since')) as Array<{
          pending_since: string;
        }>;
        assert.deepEqual(
          files.map(({ pending_since }) => pending_since === ''),
          [true, false],
        );
        assert.deepEqual(await sql('projects').orderBy('id').pluck('indexing'), [0, 1]);
      } finally {
        await database.close();
      }
    });
  });
});
