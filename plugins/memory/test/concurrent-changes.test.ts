import assert from 'node:assert/strict';
import { behindLock, onDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import { createNode, storeEvent, type Made, inNewWorkspaces } from './start-memory.js';

const LONG = 'The deployment of the gateway failed since its certificate had expired on the second node.';

// SQLite has one writer: its calls cannot meet.
onDatabase('postgresql', (fresh) => {
  describe('changes of a record at the same time', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), { workers: false });

    const onRow = (table: string, id: string, calls: ReadonlyArray<() => Promise<Made>>) =>
      behindLock(host.database, (sql) => sql(table).where({ id }).forUpdate().first('id'), calls);
    const gateway = (tags: string[], more: object = {}) =>
      storeEvent(host, { workspace_id, title: 'Gateway', content: LONG, tags, ...more });
    const node = async (title: string) => (await createNode(host, { workspace_id, title })).id;
    const getNode = (node_id: string) => host.use<Made>('memory_get_node', { node_id });
    const succeeded = (outcomes: ReadonlyArray<PromiseSettledResult<Made>>) =>
      outcomes.map((each) => {
        if (each.status === 'rejected') throw each.reason;
        return each.value;
      });

    it('on_duplicate merge keeps an edit of the twin', async () => {
      const { id } = await gateway(['old']);
      const edit = { event_id: id, tags: ['old', 'edited'], metadata: { reviewed: true } };
      const outcomes = await onRow('memory_events', id, [
        () => host.use('memory_update_event', edit),
        () => gateway(['merged'], { on_duplicate: 'merge' }),
      ]);
      succeeded(outcomes);
      const { tags, metadata } = await host.use<Made>('memory_get_event', { event_id: id });
      assert.deepEqual([tags, metadata], [['old', 'edited', 'merged'], { reviewed: true }]);
    });

    it('on_duplicate merge stores the memory where its twin is deleted', async () => {
      const { id } = await gateway(['old']);
      const outcomes = await onRow('memory_events', id, [
        () => host.use('memory_delete_event', { event_id: id }),
        () => gateway(['merged'], { on_duplicate: 'merge' }),
      ]);
      const [, stored] = succeeded(outcomes);
      assert.notEqual(stored?.id, id);
      assert.deepEqual(stored?.duplicates, []);
      const page = await host.use<{ items: Made[] }>('memory_list_events', { workspace_id });
      assert.deepEqual(
        page.items.map((each) => each.id),
        [stored?.id],
      );
    });

    it('a status does not take back that a node was superseded', async () => {
      const [old, successor] = [await node('old'), await node('new')];
      const [superseded, status] = await onRow('memory_nodes', old, [
        () => host.use('memory_supersede_node', { node_id: old, superseded_by: successor }),
        () => host.use('memory_set_node_status', { node_id: old, status: 'verified' }),
      ]);
      assert.equal(superseded?.status, 'fulfilled');
      assert.ok(status?.status === 'rejected');
      await rejects(Promise.reject(status.reason as Error), 'CONFLICT', /was superseded by/);
      assert.equal((await getNode(old))['status'], 'superseded');
    });

    it('undo of a merge keeps an edit of a node that names a merged one', async () => {
      const [old, merged, kept] = [await node('old'), await node('merged'), await node('kept')];
      await host.use('memory_supersede_node', { node_id: old, superseded_by: merged });
      const outcomes = await onRow('memory_nodes', old, [
        () => host.use('memory_update_node', { node_id: old, title: 'corrected' }),
        () => host.use('memory_merge', { ids: [merged, kept], keep: kept }),
      ]);
      const [, merge] = succeeded(outcomes);
      await host.use('memory_undo', { change_id: merge?.['change_id'] });
      const { title, superseded_by } = await getNode(old);
      assert.deepEqual([title, superseded_by], ['corrected', merged]);
    });

    it('a merge leaves a node alone that is deleted', async () => {
      const [merged, kept] = [await node('merged'), await node('kept')];
      const { id: old } = await createNode(host, { workspace_id, title: 'old', tags: ['t'] });
      await host.use('memory_supersede_node', { node_id: old, superseded_by: merged });
      const outcomes = await onRow('memory_nodes', old, [
        () => host.use('memory_delete_node', { node_id: old }),
        () => host.use('memory_merge', { ids: [merged, kept], keep: kept }),
      ]);
      const [, merge] = succeeded(outcomes);
      const { sql } = host.database;
      assert.deepEqual(await sql('memory_tags').where({ record_id: old }), []);
      assert.deepEqual(await sql('memory_bands').where({ record_id: old }), []);
      assert.deepEqual(await sql('memory_node_versions').where({ node_id: old }), []);
      await host.use('memory_undo', { change_id: merge?.['change_id'] });
    });

    it('two nodes that relate to their common twin are merged into it', async () => {
      const { id } = await createNode(host, { workspace_id, title: 'Gateway', content: LONG });
      const again = (tag: string) => () =>
        createNode(host, {
          workspace_id,
          title: 'Gateway',
          content: LONG,
          tags: [tag],
          on_duplicate: 'merge',
          relations: [{ relation_type: 'related_to', target_id: id }],
        });
      const outcomes = await behindLock(
        host.database,
        (sql) => sql.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`memory ${workspace_id}`]),
        [again('a'), again('b')],
      );
      assert.deepEqual(
        succeeded(outcomes).map((each) => each.id),
        [id, id],
      );
      assert.deepEqual((await getNode(id)).tags, ['a', 'b']);
    });

    it('nothing is stored in a project that is deleted before it is counted', async () => {
      const project = await host.use<Made>('projects_create', { workspace_id, name: 'p' });
      const place = { workspace_id, project_id: project.id };
      const { id: node_id } = await createNode(host, { ...place, title: 'old' });
      const [deleted, , ...stored] = await onRow('workspaces', workspace_id, [
        () => host.use('projects_delete', { project_id: project.id }),
        () => host.use('memory_supersede_node', { node_id, title: 'new', content: 'new' }),
        () => createNode(host, { ...place, title: 'node' }),
        () => storeEvent(host, { ...place, title: 'event' }),
      ]);
      assert.equal(deleted?.status, 'fulfilled');
      for (const each of stored) {
        assert.ok(each.status === 'rejected');
        await rejects(Promise.reject(each.reason as Error), 'NOT_FOUND', /projects_list/);
      }
      for (const table of ['memory_nodes', 'memory_events'])
        assert.deepEqual(await host.database.sql(table).where({ project_id: project.id, deleted: 0 }), []);
    });

    it('a workspace that is deleted takes along an event that is being stored', async () => {
      await storeEvent(host, { workspace_id, title: 'first' });
      await behindLock(
        host.database,
        (sql) => sql('quota_counts').where({ workspace_id }).forUpdate().select('used'),
        [
          () => storeEvent(host, { workspace_id, title: 'second' }),
          () => host.use('workspaces_delete', { workspace_id }),
        ],
      );
      assert.deepEqual(await host.database.sql('memory_events').where({ workspace_id }), []);
    });

    it('an event is refused whose workspace is deleted before it is counted', async () => {
      await storeEvent(host, { workspace_id, title: 'first' });
      const [deleted, stored] = await behindLock<Made>(
        host.database,
        (sql) => sql('quota_counts').where({ workspace_id }).forUpdate().select('used'),
        [
          () => host.use('workspaces_delete', { workspace_id }),
          () => storeEvent(host, { workspace_id, title: 'second' }),
        ],
      );
      assert.equal(deleted?.status, 'fulfilled');
      assert.ok(stored?.status === 'rejected');
      await rejects(Promise.reject(stored.reason as Error), 'NOT_FOUND', /workspace/);
      assert.deepEqual(await host.database.sql('memory_events').where({ workspace_id }), []);
    });

    it('the first event is refused whose workspace is deleted at this moment, past the table of events', async () => {
      const tag = { record_id: 'r', tag: 't', workspace_id };
      await host.database.sql('memory_tags').insert(tag);
      const [deleted, stored] = await behindLock<Made>(
        host.database,
        (sql) => sql('memory_tags').where(tag).forUpdate().select('tag'),
        [
          () => host.use('workspaces_delete', { workspace_id }),
          () => storeEvent(host, { workspace_id, title: 'first' }),
        ],
      );
      assert.equal(deleted?.status, 'fulfilled');
      for (const table of ['memory_events', 'quota_counts'])
        assert.deepEqual(await host.database.sql(table).where({ workspace_id }), []);
      assert.ok(stored?.status === 'rejected');
      await rejects(Promise.reject(stored.reason as Error), 'NOT_FOUND', /workspace/);
    });
  });
});
