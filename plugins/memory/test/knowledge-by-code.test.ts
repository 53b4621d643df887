import assert from 'node:assert/strict';
import { eachDatabase, type TestHost } from '@service-mcp/core/testing';
import type { CodeDecision, CodePlace, SharedCode } from '@service-mcp/plugin-memory/contract';
import memory from '@service-mcp/plugin-memory';
import { codeTools } from './code-tools.js';
import { createNode, newWorkspace, startMemory, storeEvent } from './start-memory.js';

eachDatabase((fresh) => {
  describe('memory by the code that it is about', () => {
    let host: TestHost;
    let workspace_id: string;
    let in_project: string;
    before(async () => {
      host = await startMemory(await fresh(), { workers: false, plugins: [codeTools] });
    });
    after(() => host.stop());
    beforeEach(async () => {
      workspace_id = await newWorkspace(host);
      in_project = await newProject();
    });

    const newProject = async (name = 'P') =>
      (await host.use<{ id: string }>('projects_create', { workspace_id, name })).id;
    const about = (...code_refs: readonly CodePlace[]) => ({ code_refs });
    const decide = async (title: string, more: object = {}) =>
      (await createNode(host, { workspace_id, title, node_type: 'decision', ...more })).id;
    const decisions = (places: readonly CodePlace[], more: object = {}) =>
      host.use<{ items: CodeDecision[]; total: number }>('code_decisions', {
        workspace_id,
        in_project,
        places,
        ...more,
      });
    const titles = async (...places: readonly CodePlace[]) =>
      (await decisions(places)).items.map(({ title }) => title).sort();
    const sharing = async (...ids: readonly string[]) =>
      (await host.use<{ items: SharedCode[] }>('code_sharing', { workspace_id, ids })).items;

    it('finds decisions about a file, a symbol, and the symbols inside it', async () => {
      await decide('file', about({ path: 'a.ts' }));
      await decide('class', about({ path: 'a.ts', symbol: 'Store' }));
      await decide('method', about({ path: 'a.ts', symbol: 'Store.get' }));
      await decide('elsewhere', about({ path: 'b.ts', symbol: 'Store.get' }));
      await decide('nothing');
      await createNode(host, { workspace_id, title: 'fact', ...about({ path: 'a.ts' }) });
      await storeEvent(host, {
        workspace_id,
        title: 'event',
        event_type: 'decision',
        ...about({ path: 'a.ts' }),
      });
      assert.deepEqual(await titles({ path: 'a.ts', symbol: 'Store.get' }), [
        'class',
        'event',
        'file',
        'method',
      ]);
      assert.deepEqual(await titles({ path: 'a.ts', symbol: 'Storefront' }), ['event', 'file']);
      assert.deepEqual(await titles({ path: 'a.ts' }), ['class', 'event', 'file', 'method']);
      assert.deepEqual(await titles({ path: 'c.ts' }), []);
      const { items, total } = await decisions([{ path: 'a.ts' }], { limit: 1 });
      assert.deepEqual([items.length, total], [1, 4]);
    });

    it('leaves out decisions of other projects and workspaces, and those no longer in force', async () => {
      const other = await newProject('Q');
      await decide('own', { ...about({ path: 'a.ts' }), project_id: in_project });
      await decide('other project', { ...about({ path: 'a.ts' }), project_id: other });
      const old = await decide('old', about({ path: 'a.ts' }));
      const next = await decide('next', about({ path: 'b.ts' }));
      await host.use('memory_supersede_node', { node_id: old, superseded_by: next });
      const elsewhere = await newWorkspace(host);
      await createNode(host, {
        workspace_id: elsewhere,
        title: 'elsewhere',
        node_type: 'decision',
        ...about({ path: 'a.ts' }),
      });
      assert.deepEqual(await titles({ path: 'a.ts' }), ['own']);
    });

    it('marks decisions that a later one leaves, wherever that is about code', async () => {
      const old = await decide('We use Postgres', { ...about({ path: 'a.ts' }), valid_from: '2026-05-01' });
      const next = await decide('We moved from Postgres to MySQL', { valid_from: '2026-05-02' });
      const other = await decide('Ship on Tuesdays', {
        ...about({ path: 'a.ts' }),
        valid_from: '2026-05-03',
      });
      const { items } = await decisions([{ path: 'a.ts' }]);
      assert.deepEqual(
        items.map(({ id, perhaps_replaced_by }) => [id, perhaps_replaced_by]),
        [
          [other, null],
          [old, next],
        ],
      );
    });

    it('follows updates, deletion, undo and merges', async () => {
      const id = await decide('moves', about({ path: 'a.ts' }));
      await host.use('memory_update_node', { node_id: id, code_refs: [{ path: 'b.ts' }] });
      assert.deepEqual([await titles({ path: 'a.ts' }), await titles({ path: 'b.ts' })], [[], ['moves']]);
      const { change_id } = await host.use<{ change_id: string }>('memory_delete_many', {
        workspace_id,
        ids: [id],
      });
      assert.deepEqual(await titles({ path: 'b.ts' }), []);
      await host.use('memory_undo', { change_id });
      assert.deepEqual(await titles({ path: 'b.ts' }), ['moves']);
      const twin = await decide('keeps', about({ path: 'c.ts' }));
      await host.use('memory_merge', { ids: [id, twin], keep: twin });
      assert.deepEqual(await titles({ path: 'b.ts' }), ['keeps']);
      await host.use('memory_delete_node', { node_id: twin });
      assert.deepEqual(await titles({ path: 'b.ts' }, { path: 'c.ts' }), []);
    });

    it('finds nodes that share code, symbols before files', async () => {
      const node = async (title: string, ...refs: readonly CodePlace[]) =>
        (await createNode(host, { workspace_id, title, ...about(...refs) })).id;
      const a = await node('a', { path: 'a.ts', symbol: 'f' });
      const same = await node('same symbol', { path: 'a.ts', symbol: 'f' });
      const file = await node('same file', { path: 'a.ts', symbol: 'g' });
      await node('other', { path: 'b.ts', symbol: 'f' });
      assert.deepEqual(await sharing(a), [
        { source_node_id: a, target_node_id: same, weight: 1 },
        { source_node_id: a, target_node_id: file, weight: 0.5 },
      ]);
      assert.equal((await sharing(a, same, file)).length, 3);
    });

    describe('after a file was renamed', () => {
      const text = (of: string) => `export function ${of}() {}\n`;
      const ingest = (files: Record<string, string>, delete_missing = false) =>
        host.use('files_ingest', {
          project_id: in_project,
          files: Object.entries(files).map(([path, content]) => ({ path, content })),
          delete_missing,
        });
      const remove = (...paths: readonly string[]) =>
        host.use('files_delete', { project_id: in_project, paths });
      const refsOf = async (node_id: string) =>
        (await host.use<{ code_refs: unknown }>('memory_get_node', { node_id })).code_refs;
      const stale = async () =>
        (await host.use<{ items: unknown[] }>('memory_hygiene', { workspace_id })).items.length;

      it('follows it, in one batch and over several', async () => {
        await ingest({ 'a.ts': text('f'), 'b.ts': text('g') });
        const id = await decide('moves', {
          ...about({ path: 'a.ts', symbol: 'f' }),
          project_id: in_project,
        });
        await ingest({ 'lib/a.ts': text('f'), 'b.ts': text('g') }, true);
        assert.deepEqual(await refsOf(id), [{ path: 'lib/a.ts', symbol: 'f' }]);
        await ingest({ 'src/a.ts': text('f') });
        await remove('lib/a.ts');
        assert.deepEqual(await refsOf(id), [{ path: 'src/a.ts', symbol: 'f' }]);
        const { items } = await decisions([{ path: 'src/a.ts', symbol: 'f' }]);
        assert.deepEqual(
          items.map(({ title, places }) => [title, places]),
          [['moves', [{ path: 'src/a.ts', symbol: 'f' }]]],
        );
        assert.deepEqual(await titles({ path: 'lib/a.ts' }), []);
        assert.equal(await stale(), 0);
        const next = await decide('next', {
          ...about({ path: 'src/a.ts', symbol: 'f' }),
          project_id: in_project,
        });
        assert.deepEqual(
          (await sharing(next)).map(({ target_node_id, weight }) => [target_node_id, weight]),
          [[id, 1]],
        );
        await ingest({ 'a.ts': text('f') });
        await remove('src/a.ts');
        assert.deepEqual(await refsOf(id), [{ path: 'a.ts', symbol: 'f' }]);
        assert.deepEqual(await refsOf(next), [{ path: 'a.ts', symbol: 'f' }]);
      });

      it('follows no other text, none of two, and not what was there before', async () => {
        await ingest({ 'a.ts': text('f'), 'empty.ts': '', 'other.ts': '', 'c.ts': text('c') });
        const id = await decide('gone', { ...about({ path: 'a.ts' }), project_id: in_project });
        const empty = await decide('empty', { ...about({ path: 'empty.ts' }), project_id: in_project });
        await ingest({ 'x.ts': text('f'), 'y.ts': text('f') });
        await remove('a.ts', 'empty.ts');
        assert.deepEqual(await refsOf(id), [{ path: 'a.ts', missing: true }]);
        assert.deepEqual(await refsOf(empty), [{ path: 'empty.ts', missing: true }]);
        await ingest({ 'd.ts': text('c') });
        await remove('c.ts');
        await ingest({ 'c.ts': text('another') });
        const late = await decide('late', { ...about({ path: 'c.ts' }), project_id: in_project });
        await remove('c.ts');
        assert.deepEqual(await refsOf(late), [{ path: 'c.ts', missing: true }]);
      });

      it('reads no list of the files that share a text', async () => {
        const copies = Array.from({ length: 9 }, (_, n) => [`copy${n}.ts`, text('f')]);
        await ingest({ 'a.ts': text('f'), ...Object.fromEntries(copies) });
        const sizes: number[] = [];
        const count = (rows: unknown) => void (Array.isArray(rows) && sizes.push(rows.length));
        const { sql } = host.database;
        sql.on('query-response', count);
        await remove('a.ts');
        sql.off('query-response', count);
        assert.ok(Math.max(...sizes) < copies.length, `${Math.max(...sizes)} rows`);
      });

      it('follows in its own project, and for records of no project', async () => {
        const first = in_project;
        await ingest({ 'a.ts': text('f') });
        const free = await decide('free', about({ path: 'a.ts' }));
        in_project = await newProject('Q');
        await ingest({ 'z.ts': text('f') });
        in_project = first;
        await remove('a.ts');
        assert.deepEqual(await refsOf(free), [{ path: 'a.ts', missing: true }]);
        await ingest({ 'a.ts': text('f') });
        await ingest({ 'b.ts': text('f') });
        await remove('a.ts');
        assert.deepEqual(await refsOf(free), [{ path: 'b.ts' }]);
        assert.deepEqual(await titles({ path: 'b.ts' }), ['free']);
        await host.use('projects_delete', { project_id: first });
        assert.deepEqual(await host.database.sql('file_moves').where({ project_id: first }), []);
      });
    });

    it('finds records that are older than the table', async () => {
      await decide('old', about({ path: 'a.ts' }));
      const { sql } = host.database;
      await sql.schema.dropTable('memory_code_places');
      assert.ok(Array.isArray(memory.migrations));
      await memory.migrations.find(({ id }) => id === '006_code_places')?.up(sql);
      assert.deepEqual(await titles({ path: 'a.ts' }), ['old']);
    });
  });
});
