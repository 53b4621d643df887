import assert from 'node:assert/strict';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import memory from '@service-mcp/plugin-memory';
import { createNode, expire, storeEvent, type Made, inNewWorkspaces } from './start-memory.js';
import { exportLines, importLines } from './transfer.js';

interface Change {
  readonly change_id: string;
}
const FACTS = [
  { record: 'node', id: 'a', node_type: 'fact', title: 'alpha', content: 'the first thing' },
  { record: 'node', id: 'b', node_type: 'fact', title: 'beta', content: 'another one' },
  { record: 'edge', id: 'e', source_node_id: 'a', target_node_id: 'b', relation_type: 'depends_on' },
];

eachDatabase((fresh) => {
  describe('imports between a deletion and its undo', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), { workers: false });

    const list = async (tool: string) => (await host.use<{ items: Made[] }>(tool, { workspace_id })).items;
    const deleteMany = async (ids: readonly string[]) =>
      (await host.use<Change>('memory_delete_many', { workspace_id, ids })).change_id;
    const edges = async () =>
      (await exportLines(host, workspace_id)).filter(({ record }) => record === 'edge').length;
    /** Imports the facts; the id of one of them. */
    async function importFacts(title = 'alpha'): Promise<string> {
      await importLines(host, { workspace_id }, FACTS);
      return (await list('memory_list_nodes')).find((node) => node.title === title)?.id ?? '';
    }

    it('undo restores a node of many versions', async () => {
      const at = (minute: number) => new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString();
      const node = (minute: number) => ({
        id: 'n',
        node_type: 'fact',
        title: 'busy',
        content: `version ${minute}`,
        updated_at: at(minute),
      });
      const versions = Array.from({ length: 510 }, (_, n) => ({
        record: 'version',
        node_id: 'n',
        version: n + 1,
        recorded_at: at(n),
        node: node(n),
      }));
      await importLines(host, { workspace_id }, [{ record: 'node', ...node(509) }, ...versions]);
      const [{ id } = { id: '' }] = await list('memory_list_nodes');
      const change_id = await deleteMany([id]);
      await host.use('memory_undo', { change_id });
      const history = await host.use<{ total: number }>('memory_node_history', { node_id: id });
      assert.equal(history.total, versions.length);
    });

    it('undo leaves a record as it is that an import brought back', async () => {
      const id = await importFacts();
      const change_id = await deleteMany([id]);
      await importFacts();
      await host.use('memory_update_node', { node_id: id, title: 'edited since' });
      await host.use('memory_undo', { change_id });
      assert.equal((await host.use<Made>('memory_get_node', { node_id: id })).title, 'edited since');
    });

    it('undo restores the rest where an import brought back a part', async () => {
      const lines = ['1', '2'].map((id) => ({
        record: 'event',
        id,
        event_type: 'note',
        title: id,
        content: id,
        tags: ['t'],
      }));
      await importLines(host, { workspace_id }, lines);
      const ids = (await list('memory_list_events')).map(({ id }) => id);
      const change_id = await deleteMany(ids);
      await importLines(host, { workspace_id }, lines.slice(0, 1));
      await host.use('memory_undo', { change_id });
      assert.equal((await list('memory_list_events')).length, 2);
    });

    it('a merge is refused that would change more nodes than undo keeps, before it reads them', async () => {
      const [keep, merged, naming] = [
        await createNode(host, { workspace_id, title: 'kept' }),
        await createNode(host, { workspace_id, title: 'merged' }),
        await createNode(host, { workspace_id, title: 'naming' }),
      ];
      const nodes = () => host.database.sql('memory_nodes');
      const [row] = (await nodes().where({ id: naming.id })) as object[];
      const ids = Array.from({ length: 501 }, () => crypto.randomUUID());
      const rows = ids.map((id) => ({ ...row, id, status: 'superseded', superseded_by: merged.id }));
      for (let at = 0; at < ids.length; at += 100) await nodes().insert(rows.slice(at, at + 100));
      const merge = (kept: string) =>
        host.use('memory_merge', { ids: [keep.id, merged.id, naming.id], keep: kept });
      await rejects(merge(keep.id), 'INVALID_ARGUMENT', /^ids: are named .* more than 500 nodes.* keep/);
      await nodes()
        .where({ superseded_by: merged.id })
        .update({ content: 'x'.repeat(40_000) });
      await nodes().whereIn('id', ids.slice(0, 51)).update({ superseded_by: null });
      await rejects(merge(keep.id), 'INVALID_ARGUMENT', /16 MiB/);
      await merge(merged.id);
    });

    it('the end of an undo keeps the edges of a node that is back', async () => {
      const change_id = await deleteMany([await importFacts()]);
      await importFacts();
      await expire(host, [change_id]);
      assert.equal(await edges(), 1);
    });

    it('the end of an undo keeps the edges of a node that another undo can bring back', async () => {
      const first = await deleteMany([await importFacts()]);
      const second = await deleteMany([await importFacts()]);
      await expire(host, [first]);
      await host.use('memory_undo', { change_id: second });
      assert.equal(await edges(), 1);
    });

    it('the end of an undo reads no snapshots, those of changes before the table of what they removed neither', async () => {
      const { sql } = host.database;
      const first = await deleteMany([await importFacts()]);
      await sql.schema.dropTable('memory_removed_records');
      assert.ok(Array.isArray(memory.migrations));
      await memory.migrations.find(({ id }) => id === '013_create_removed_records')?.up(sql);
      const second = await deleteMany([await importFacts()]);
      const third = await deleteMany([await importFacts()]);
      const written = () => sql('memory_changes').where({ workspace_id });
      const [{ before } = { before: '' }] = await written().where({ id: third }).select('before');
      await written().update({ before: 'no snapshot' });
      await expire(host, [second]);
      await written().where({ id: third }).update({ before });
      await host.use('memory_undo', { change_id: third });
      assert.equal(await edges(), 1);
      const known = sql('memory_removed_records').where({ workspace_id });
      assert.deepEqual(await known.pluck('change_id'), [first]);
    });

    it('an import makes the edges that are hidden until an undo', async () => {
      const { id: target_id } = await createNode(host, { workspace_id, title: 'target' });
      const relations = [{ relation_type: 'depends_on', target_id }];
      const { id } = await createNode(host, { workspace_id, title: 'source', relations });
      const lines = await exportLines(host, workspace_id);
      await deleteMany([id]);
      assert.equal(await edges(), 0);
      const { failed } = await importLines(host, { workspace_id }, lines);
      assert.deepEqual([failed, await edges()], [0, 1]);
    });

    it('an event and a node of one id do not share what hangs on them', async () => {
      const { errors } = await importLines(host, { workspace_id }, [
        { record: 'event', id: '1', event_type: 'note', title: 'one', content: 'alpha', tags: ['x'] },
        { record: 'node', id: '1', node_type: 'fact', title: 'two', content: 'beta', tags: ['x'] },
        { record: 'event', id: '2', event_type: 'note', title: 'three', content: 'gamma' },
      ]);
      assert.deepEqual(errors, [{ line: 2, message: 'id: belongs to another record' }]);
      assert.equal((await list('memory_list_events')).length, 2);
    });

    it('an export has the records of a machine whose clock is ahead', async () => {
      const created_at = new Date(Date.now() + 3_600_000).toISOString();
      await importLines(host, { workspace_id }, [
        { record: 'event', id: '1', event_type: 'note', title: 'one', content: 'alpha', created_at },
      ]);
      assert.equal((await exportLines(host, workspace_id)).length, 1);
    });

    describe('of a project that is deleted', () => {
      let project_id: string;
      beforeEach(async () => {
        project_id = (await host.use<Made>('projects_create', { workspace_id, name: 'p' })).id;
      });
      const inProject = async (title: string) =>
        (await storeEvent(host, { workspace_id, title, project_id })).id;
      const projectOf = async (event_id: string) =>
        (await host.use<Made>('memory_get_event', { event_id }))['project_id'];
      const lines = (length: number) =>
        Array.from({ length }, (_, n) => ({
          record: 'event',
          id: `${n}`,
          event_type: 'note',
          title: `t${n}`,
          content: `event ${n}`,
          project_id,
        }));
      /** Imports lines, with a call in between when the first of them are written. */
      const importAround = (call: () => Promise<unknown>) => {
        async function* pieces() {
          for (const [n, value] of lines(450).entries()) {
            if (n === 300) await call();
            yield { line: n + 1, bytes: 100, value };
          }
        }
        return host.use('memory_import', { workspace_id }, { surface: 'rest', lines: pieces() });
      };
      const stored = () => host.database.sql('memory_events').where({ workspace_id });

      it('undo gives deleted and merged records to the workspace', async () => {
        const [a, b, c] = [await inProject('a'), await inProject('b'), await inProject('c')];
        const merged = await host.use<Change>('memory_merge', { ids: [a, b], keep: a });
        const change_id = await deleteMany([c]);
        await host.use('projects_delete', { project_id });
        await host.use('memory_undo', { change_id });
        await host.use('memory_undo', { change_id: merged.change_id });
        for (const id of [a, b, c]) assert.equal(await projectOf(id), null);
      });

      it('undo gives the records of one that is there to it', async () => {
        const id = await inProject('a');
        const change_id = await deleteMany([id]);
        await host.use('memory_undo', { change_id });
        assert.equal(await projectOf(id), project_id);
      });

      it('an import that is running writes into the workspace', async () => {
        await importAround(() => host.use('projects_delete', { project_id }));
        assert.equal((await stored()).length, 450);
        assert.deepEqual(await stored().whereNotNull('project_id'), []);
      });

      it('an import that is running ends where the workspace is deleted', async () => {
        await assert.rejects(
          importAround(() => host.use('workspaces_delete', { workspace_id })),
          /workspace/,
        );
        assert.deepEqual(await stored(), []);
      });
    });
  });
});
