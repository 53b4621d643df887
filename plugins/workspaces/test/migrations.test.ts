import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';
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

    it('004 keeps every content', async () => {
      const test = await fresh();
      const database = await test.open();
      const { sql, engine } = database;
      try {
        for (const step of workspaces.migrations.slice(0, 3)) await step.up(sql, engine);
        const rows = Array.from({ length: 250 }, (_, at) => {
          return { workspace_id: `w${at % 3}`, sha256: `hash ${at}`, content: `content ${at} ü\n` };
        });
        await sql('file_contents').insert(rows);
        await workspaces.migrations[3]?.up(sql, engine);
        const packed = (await sql('file_contents')) as Array<{
          sha256: string;
          packed: Buffer | ArrayBuffer;
        }>;
        assert.deepEqual(
          new Map(packed.map((row) => [row.sha256, inflateRawSync(row.packed).toString()])),
          new Map(rows.map((row) => [row.sha256, row.content])),
        );
      } finally {
        await database.close();
      }
    });
  });
});
