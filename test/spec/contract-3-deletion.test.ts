import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { addWorkColumns, definePlugin, workspaceRows } from '@service-mcp/core';
import { eachDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import auth from '@service-mcp/plugin-auth';
import help from '@service-mcp/plugin-help';
import memory from '@service-mcp/plugin-memory';
import search from '@service-mcp/plugin-search';
import secrets from '@service-mcp/plugin-secrets';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';

/** A third party's plugin that follows the guide. */
const notes = definePlugin({
  id: 'notes',
  description: 'Keeps notes.',
  api: '^1',
  migrations: [
    {
      id: '001_create_notes',
      async up(sql) {
        await sql.schema.createTable('notes', (table) => {
          table.text('id').primary();
          table.text('workspace_id').notNullable();
          table.text('text').notNullable();
        });
        await addWorkColumns(sql, 'notes');
      },
    },
  ],
  services: [
    workspaceRows([{ table: 'notes', record: 'note', columns: ['id', 'text'], where: { deleted: 0 } }]),
  ],
});

/** Tables that outlive a workspace by design: the audit log, counts of calls, and for a day the deletion event. None holds content. */
const KEPT: ReadonlySet<string> = new Set(['audit_log', 'call_usage', 'change_events']);

/** Rows here wait for a worker, which can take them at any moment. */
const WAITING: ReadonlySet<string> = new Set(['memory_unchecked']);

/** Of each workspace: a file, an event and two nodes. */
const DOCUMENTS = 4;

eachDatabase((fresh, engine) => {
  describe('the deletion of a workspace', () => {
    let host: TestHost;
    let kept: string;
    let gone: string;
    before(async () => {
      const plugins = [workspaces, syntax, search, secrets, memory, auth, help, notes];
      host = await testHost({ plugins, database: await fresh(), listen: true });
      kept = (await host.use<{ id: string }>('workspaces_create', { name: 'kept' })).id;
      gone = (await host.use<{ id: string }>('workspaces_create', { name: 'gone' })).id;
      for (const workspace_id of [kept, gone]) {
        await remember(workspace_id);
        const { id } = await host.use<{ id: string }>('projects_create', { workspace_id, name: 'p' });
        const files = [{ path: 'a.md', content: '# Zwiebelfisch\n\nA word.\n' }];
        await host.use('files_ingest', { project_id: id, files });
      }
    });
    after(() => host.stop());

    /** An event with a tag, two related nodes that are kept apart, and a deletion that could be undone: a row in each table of memory. */
    async function remember(workspace_id: string): Promise<void> {
      const said = { workspace_id, title: 'A bell', content: 'It rings at noon.', tags: ['bell'] };
      await host.use('memory_create_event', { ...said, event_type: 'note' });
      const fact = { ...said, node_type: 'fact' };
      const target = await host.use<{ id: string }>('memory_create_node', fact);
      const relations = [{ relation_type: 'related_to', target_id: target.id }];
      const related = await host.use<{ id: string }>('memory_create_node', { ...fact, relations });
      await host.use('memory_keep_apart', { workspace_id, ids: [target.id, related.id] });
      const { id } = await host.use<{ id: string }>('memory_create_event', { ...said, event_type: 'note' });
      await host.use('memory_delete_many', { workspace_id, ids: [id] });
    }

    /** Every table with a workspace_id, of any plugin. */
    async function tables(): Promise<string[]> {
      const query =
        engine === 'postgresql'
          ? `SELECT table_name AS name FROM information_schema.columns
             WHERE column_name = 'workspace_id' AND table_schema = current_schema()`
          : `SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c
             WHERE m.type = 'table' AND c.name = 'workspace_id'`;
      const answer = (await host.database.sql.raw(query)) as
        | Array<{ name: string }>
        | { rows: Array<{ name: string }> };
      const rows = Array.isArray(answer) ? answer : answer.rows;
      return rows.map(({ name }) => name).sort();
    }

    /** Puts a row of made-up values into a table, for both workspaces. */
    async function fill(table: string): Promise<void> {
      const columns = await host.database.sql(table).columnInfo();
      for (const workspace_id of [kept, gone]) {
        const row = Object.entries(columns).flatMap(([name, { type, nullable, defaultValue }]) =>
          name !== 'id' && (nullable || (defaultValue !== null && defaultValue !== undefined))
            ? []
            : [[name, /int/i.test(type) ? 0 : randomUUID()] as const],
        );
        await host.database.sql(table).insert({ ...Object.fromEntries(row), workspace_id });
      }
    }
    const count = async (table: string, workspace_id: string) =>
      (await host.database.sql(table).where({ workspace_id })).length;
    const indexed = async () =>
      Number(
        /^service_mcp_index_rows\{\w+="documents"\} (\d+)$/m.exec(
          await (await fetch(`${host.url}/metrics`)).text(),
        )?.[1],
      );

    /** How many records of each kind a whole export holds, read two at a time. */
    async function exported(workspace_id: string): Promise<Record<string, number>> {
      const counts: Record<string, number> = {};
      const files: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page: { records: Array<{ record: string; content?: string }>; next: string | null } =
          await host.use('workspaces_export', { workspace_id, limit: 2, ...(cursor && { cursor }) });
        for (const { record, content } of page.records) {
          counts[record] = (counts[record] ?? 0) + 1;
          if (record === 'file') files.push(content ?? '');
        }
        cursor = page.next;
      } while (cursor);
      assert.deepEqual(files, ['# Zwiebelfisch\n\nA word.\n']);
      return counts;
    }

    it('leaves nothing of it in any table, and nothing of others is touched', async () => {
      for (let waited = 0; (await indexed()) !== 2 * DOCUMENTS; waited += 50) {
        assert.ok(waited < 20_000, 'everything of both is indexed');
        await delay(50);
      }
      const all = await tables();
      for (const table of ['api_keys', 'file_contents', 'files', 'invitations', 'notes', 'search_spaces'])
        assert.ok(all.includes(table), table);
      for (const table of all) if ((await count(table, gone)) === 0) await fill(table);
      const settled = all.filter((name) => !WAITING.has(name));
      for (const table of settled)
        assert.ok((await count(table, gone)) > 0, `${table} holds something of it`);
      const before = new Map<string, number>();
      for (const table of all) before.set(table, await count(table, kept));

      const { counts } = await host.use<{ counts: Record<string, number> }>('workspaces_overview', {
        workspace_id: gone,
      });
      assert.equal(counts['notes'], 1, 'the overview counts what other plugins keep');
      assert.deepEqual(await exported(gone), {
        project: 1,
        member: 1,
        file: 1,
        event: 1,
        node: 2,
        version: 2,
        edge: 1,
        kept_apart: 1,
        note: 1,
      });
      await host.use('workspaces_delete', { workspace_id: gone });

      for (const table of all.filter((name) => !KEPT.has(name)))
        assert.equal(await count(table, gone), 0, `${table} is empty of it`);
      for (const table of settled.filter((name) => !KEPT.has(name)))
        assert.equal(await count(table, kept), before.get(table), `${table} keeps what is of others`);
      assert.equal((await host.database.sql('workspaces').where({ id: gone })).length, 0);
    });

    it('takes its rows out of the index too', async () => {
      const drops = async () => (await host.database.sql('search_drops')).length;
      for (let waited = 0; (await drops()) > 0; waited += 50) {
        assert.ok(waited < 20_000, 'its documents leave the index');
        await delay(50);
      }
      assert.equal(await indexed(), DOCUMENTS);
      const { results } = await host.use<{ results: object[] }>('search_keyword', {
        workspace_id: kept,
        query: 'zwiebelfisch',
      });
      assert.equal(results.length, 1);
    });
  });
});
