import assert from 'node:assert/strict';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import { storeEvent, tick, until, inNewWorkspaces } from './start-memory.js';

interface Event {
  readonly id: string;
  readonly title: string;
  readonly created_by: string;
  readonly [field: string]: unknown;
}
interface Referring {
  readonly code_refs: ReadonlyArray<{ readonly path: string; readonly missing?: true }>;
}
interface EventPage {
  readonly items: readonly Event[];
  readonly total: number;
}

eachDatabase((fresh) => {
  describe('memory events', () => {
    let host: TestHost;
    let workspace: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace] = made));

    const store = (title: string, more: object = {}) =>
      storeEvent(host, { workspace_id: workspace, title, ...more });
    const list = async (filter: object = {}) => {
      const page = await host.use<EventPage>('memory_list_events', { workspace_id: workspace, ...filter });
      return page.items.map(({ title }) => title);
    };

    it('keep every field as it was given, and fill in the others', async () => {
      const given = {
        event_type: 'decision',
        title: 'Ünïcode “title” 🦀',
        content: 'line one\nline two "quoted" \\ back',
        session_id: 's-1',
        importance: 'high',
        tags: ['b', 'a "quoted" one'],
        metadata: { nested: { list: [1, 'two', null] }, 'dotted.key': true },
        provenance: { repo: 'r', commit_sha: 'abc' },
        occurred_at: '2026-01-02T03:04:05+02:00',
      };
      const { id } = await store('', given);
      const event = await host.use<Event>('memory_get_event', { event_id: id });
      const { occurred_at, ...rest } = given;
      for (const [field, value] of Object.entries(rest)) assert.deepEqual(event[field], value, field);
      assert.equal(event['occurred_at'], '2026-01-02T01:04:05.000Z', occurred_at);
      assert.equal(event['project_id'], null);
      assert.deepEqual(event['code_refs'], []);
      assert.match(event.created_by, /^[0-9a-f-]{36}$/);
    });

    it('are listed newest first by when they happened, narrowed by every filter', async () => {
      const { id: project } = await host.use<{ id: string }>('projects_create', {
        workspace_id: workspace,
        name: 'p',
      });
      await store('old', { occurred_at: '2020-01-01T00:00:00Z', tags: ['x', 'y'], session_id: 's' });
      await store('new', { occurred_at: '2026-01-01T00:00:00Z', tags: ['x'], event_type: 'bug' });
      await store('middle', { occurred_at: '2023-01-01T00:00:00Z', project_id: project });
      assert.deepEqual(await list(), ['new', 'middle', 'old']);
      assert.deepEqual(await list({ tags: ['x'] }), ['new', 'old']);
      assert.deepEqual(await list({ tags: ['x', 'y'] }), ['old']);
      assert.deepEqual(await list({ event_type: 'bug' }), ['new']);
      assert.deepEqual(await list({ session_id: 's' }), ['old']);
      assert.deepEqual(await list({ project_id: project }), ['middle']);
      assert.deepEqual(
        await list({ since: '2023-01-01T00:00:00Z', until: '2026-01-01T00:00:00Z' }),
        ['middle'],
        'since is included, until is not',
      );
      assert.deepEqual(
        await list({ since: '2023-01-01', until: '2026-01-01' }),
        ['new', 'middle'],
        'whole days',
      );
      assert.deepEqual(await list({ per_page: 1, page: 2 }), ['middle']);
    });

    it('say how far they are indexed, and list by it', async () => {
      const { id, indexing_status } = await store('a zebrafish');
      assert.equal(indexing_status, 'pending');
      await until(async () => (await list({ indexing_status: 'completed' })).length === 1);
      assert.deepEqual(await list({ indexing_status: 'indexed' }), ['a zebrafish']);
      assert.deepEqual(await list({ indexing_status: 'pending' }), []);
      assert.deepEqual(await list({ indexing_status: 'all' }), ['a zebrafish']);
      await rejects(
        list({ indexing_status: 'done' }),
        'INVALID_ARGUMENT',
        /all.*pending.*indexed.*completed.*failed/,
      );
      const found = await host.use<{ results: Array<{ path: string }> }>('search_keyword', {
        workspace_id: workspace,
        query: 'zebrafish',
        filters: { kinds: ['event'] },
      });
      assert.deepEqual(
        found.results.map(({ path }) => path),
        [`event/${id}`],
      );
    });

    it('change field by field; what is not named stays', async () => {
      const { id } = await store('before', { tags: ['t'], metadata: { a: 1 } });
      await host.use('memory_update_event', { event_id: id, title: 'after', tags: ['u'] });
      const event = await host.use<Event>('memory_get_event', { event_id: id });
      assert.equal(event.title, 'after');
      assert.deepEqual(event['metadata'], { a: 1 });
      assert.deepEqual(await list({ tags: ['u'] }), ['after']);
      assert.deepEqual(await list({ tags: ['t'] }), []);
    });

    it('leave their session by an empty session_id', async () => {
      const { id: event_id } = await store('said', { session_id: 's1' });
      const update = (args: object) =>
        host.use<{ session_id: string | null }>('memory_update_event', { event_id, ...args });
      assert.equal((await update({})).session_id, 's1');
      assert.equal((await update({ session_id: '' })).session_id, null);
      assert.equal((await update({ session_id: 's2' })).session_id, 's2');
      assert.equal((await update({ session_id: ' ' })).session_id, null, 'blank');
    });

    it('change only as they were read, where the caller says when that was', async () => {
      const { id } = await store('before');
      const { updated_at } = await host.use<Event & { updated_at: string }>('memory_get_event', {
        event_id: id,
      });
      await tick();
      const change = { event_id: id, if_updated_at: updated_at };
      await host.use('memory_update_event', { ...change, title: 'first' });
      await rejects(
        host.use('memory_update_event', { ...change, title: 'second' }),
        'CONFLICT',
        /memory_get_event/,
      );
      assert.deepEqual(await list(), ['first']);
    });

    it('are gone when they are deleted, with their tags', async () => {
      const { id } = await store('gone', { tags: ['t'] });
      assert.deepEqual(await host.use('memory_delete_event', { event_id: id }), { id, deleted: true });
      await rejects(host.use('memory_get_event', { event_id: id }), 'NOT_FOUND', /memory_list_events/);
      assert.deepEqual(await list(), []);
      assert.equal((await host.database.sql('memory_tags').where({ record_id: id })).length, 0);
    });

    it('keep references to code, and flag those to files that are not there', async () => {
      const { id: project } = await host.use<{ id: string }>('projects_create', {
        workspace_id: workspace,
        name: 'p',
      });
      await host.use('files_ingest', { project_id: project, files: [{ path: 'a.ts', content: 'x' }] });
      const { code_refs } = await store('refs', {
        project_id: project,
        code_refs: [{ path: 'a.ts', symbol: 'x' }, { path: 'b.ts' }],
      });
      assert.deepEqual(code_refs, [
        { path: 'a.ts', symbol: 'x' },
        { path: 'b.ts', missing: true },
      ]);
    });

    it('flag a reference as missing while the project has no such file, and no longer', async () => {
      const { id: project_id } = await host.use<{ id: string }>('projects_create', {
        workspace_id: workspace,
        name: 'p',
      });
      const ingest = (path: string) =>
        host.use('files_ingest', { project_id, files: [{ path, content: path }] });
      await ingest('old.ts');
      const about = { project_id, code_refs: [{ path: 'old.ts' }, { path: 'new.ts', symbol: 'x' }] };
      const { id } = await store('moves', { ...about, event_type: 'decision' });
      const node = await host.use<{ id: string }>('memory_create_node', {
        workspace_id: workspace,
        node_type: 'decision',
        title: 'moves',
        content: 'moves',
        ...about,
      });
      const scope = { workspace_id: workspace };
      const listed = async (tool: string) => (await host.use<{ items: Referring[] }>(tool, scope)).items;
      const records = async () => [
        await host.use<Referring>('memory_get_event', { event_id: id }),
        await host.use<Referring>('memory_get_node', { node_id: node.id }),
        ...(await listed('memory_list_events')),
        ...(await listed('memory_list_nodes')),
        ...(await listed('memory_decisions')),
      ];
      const missing = async () =>
        new Set(
          (await records()).map(({ code_refs }) =>
            code_refs
              .filter((ref) => ref.missing)
              .map(({ path }) => path)
              .join(),
          ),
        );
      assert.deepEqual([...(await missing())], ['new.ts']);
      await ingest('new.ts');
      assert.deepEqual([...(await missing())], ['']);
      await host.use('files_delete', { project_id, paths: ['old.ts'] });
      assert.deepEqual([...(await missing())], ['old.ts']);
    });

    it('stay when their project is deleted', async () => {
      const { id: project } = await host.use<{ id: string }>('projects_create', {
        workspace_id: workspace,
        name: 'p',
      });
      await store('kept', { project_id: project });
      await host.use('projects_delete', { project_id: project });
      const page = await host.use<EventPage>('memory_list_events', { workspace_id: workspace });
      assert.deepEqual(
        page.items.map(({ title, project_id }) => [title, project_id]),
        [['kept', null]],
      );
    });

    it('refuse what does not fit, and store nothing of it', async () => {
      const other = await host.use<{ id: string }>('workspaces_create', { name: 'Other' });
      const foreign = await host.use<{ id: string }>('projects_create', {
        workspace_id: other.id,
        name: 'p',
      });
      const huge = { k: 'x'.repeat(17_000) };
      for (const [more, message] of [
        [{ content: ' \n\t' }, /content/],
        [{ content: 'ä'.repeat(60_000) }, /100000 bytes/],
        [{ title: 'x'.repeat(301) }, /title/],
        [{ event_type: 'Not A Word' }, /event_type/],
        [{ metadata: huge }, /16384 bytes/],
        [{ tags: ['a', 'a'] }, /tags/],
        [{ occurred_at: 'yesterday' }, /occurred_at/],
        [{ surprise: 1 }, /surprise/],
      ] as const)
        await rejects(store('bad', more), 'INVALID_ARGUMENT', message);
      await rejects(store('bad', { project_id: foreign.id }), 'NOT_FOUND', /projects_list/);
      assert.deepEqual(await list(), []);
    });

    it('let a viewer read and not write', async () => {
      const { id } = await store('seen');
      const viewer = await host.member(workspace, 'viewer');
      assert.equal(
        (await host.use<Event>('memory_get_event', { event_id: id }, { as: viewer })).title,
        'seen',
      );
      await rejects(
        host.use('memory_delete_event', { event_id: id }, { as: viewer }),
        'PERMISSION_DENIED',
        /viewer/,
      );
    });
  });
});
