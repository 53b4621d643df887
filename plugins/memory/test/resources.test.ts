import assert from 'node:assert/strict';
import { callerWith, eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import type { Caller } from '@service-mcp/core';
import { createNode, newWorkspace, startMemory, storeEvent, until, type Made } from './start-memory.js';
import { importLines } from './transfer.js';

eachDatabase((fresh) => {
  describe('resources of memory', () => {
    let host: TestHost;
    let workspace_id: string;
    before(async () => {
      host = await startMemory(await fresh(), { workers: false });
      workspace_id = await newWorkspace(host);
    });
    after(() => host.stop());

    const read = async (uri: string, as?: ReturnType<typeof callerWith>) => {
      const [content] = await host.catalog.readResource(uri, host.call(as ? { caller: as } : {}));
      return content?.text ?? '';
    };

    it('show the decisions in force with their reasons, and one memory', async () => {
      const said = { workspace_id, title: 'Bells, not lamps', content: 'Bells, because fog hides lamps.' };
      const node = await createNode(host, { ...said, node_type: 'decision' });
      const gone = await createNode(host, {
        workspace_id,
        node_type: 'decision',
        title: 'Lamps',
        content: 'Lamps.',
      });
      await host.use('memory_supersede_node', { node_id: gone.id, superseded_by: node.id });
      const event = await storeEvent(host, {
        ...said,
        tags: ['fog'],
      });
      const decisions = await read(`service://workspaces/${workspace_id}/decisions`);
      assert.match(decisions, /## Bells, not lamps\n\n.*\n\nBells, because fog hides lamps\.\n$/);
      assert.ok(!decisions.includes('Lamps.'));
      assert.match(await read(`service://memory/${event.id}`), /note: Bells.*\nTags: fog\n\nBells, because/);
      assert.match(await read(`service://memory/${node.id}`), /decision, active.*Bells/);
    });

    it('are those of members alone', async () => {
      const { id } = await storeEvent(host, {
        workspace_id,
        title: 'x',
        content: 'a secret of the team',
      });
      const viewer = await host.member(workspace_id, 'viewer');
      assert.match(await read(`service://memory/${id}`, viewer), /secret/);
      for (const uri of [`service://memory/${id}`, `service://workspaces/${workspace_id}/decisions`])
        await rejects(read(uri, callerWith()), 'NOT_FOUND');
      await rejects(read('service://memory/00000000-0000-7000-8000-000000000000'), 'NOT_FOUND');
    });

    it('need the scope of memory by every way to them', async () => {
      await storeEvent(host, { workspace_id, title: 'Quiet title', content: 'The quiet content.' });
      const admin = await host.member(workspace_id, 'admin');
      const narrow: Caller = { ...admin, scopes: ['search:read', 'workspaces:read'] };
      for (const mode of ['hybrid', 'keyword', 'semantic', 'pattern'])
        for (const kind of ['event', 'node']) {
          const search = { workspace_id, query: 'quiet', filters: { kinds: ['code', kind] } };
          const error = await rejects(
            host.use(`search_${mode}`, search, { as: narrow }),
            'PERMISSION_DENIED',
          );
          assert.deepEqual(error.details, { scope: 'memory:read' });
          await host.use(`search_${mode}`, search, { as: admin });
        }
      await host.use('search_hybrid', { workspace_id, query: 'quiet' }, { as: narrow });
      await rejects(
        host.use('workspaces_export', { workspace_id }, { as: narrow }),
        'PERMISSION_DENIED',
        /memory:read/,
      );
      const overview = (as: Caller) =>
        host.use<{ counts: { events: number }; recent_events: object[] }>(
          'workspaces_overview',
          { workspace_id },
          { as },
        );
      assert.deepEqual((await overview(narrow)).recent_events, []);
      assert.ok((await overview(narrow)).counts.events > 0);
      assert.ok((await overview(admin)).recent_events.length > 0);
    });

    it('complete ids by their beginning and by the beginning of a title, for members', async () => {
      const made = { workspace_id, title: 'Zebra crossing', content: 'Painted.' };
      const event = await host.use<Made>('memory_create_event', { ...made, event_type: 'note' });
      const node = await host.use<Made>('memory_create_node', { ...made, node_type: 'fact' });
      const gone = await host.use<Made>('memory_create_event', { ...made, event_type: 'note' });
      await host.use('memory_delete_event', { event_id: gone.id });
      const other = await newWorkspace(host);
      const complete = (
        template: string,
        name: string,
        value: string,
        { as, others }: { as?: Caller; others?: Record<string, string> } = {},
      ) =>
        host.catalog.complete(
          { template },
          { name, value, ...(others && { others }) },
          host.call(as ? { caller: as } : {}),
        );
      const memory = 'service://memory/{memory_id}';
      const decisions = 'service://workspaces/{workspace_id}/decisions';
      const member = await host.member(workspace_id, 'viewer');
      for (const options of [{}, { as: member }, { others: { workspace_id } }]) {
        assert.deepEqual(await complete(memory, 'memory_id', 'zebra', options), [node.id, event.id]);
        assert.deepEqual(await complete(memory, 'memory_id', event.id, options), [event.id]);
        assert.ok((await complete(memory, 'memory_id', '', options)).includes(node.id));
        assert.ok((await complete(decisions, 'workspace_id', 'te', options)).includes(workspace_id));
      }
      assert.deepEqual(await complete(decisions, 'workspace_id', workspace_id), [workspace_id]);
      assert.deepEqual(await complete(decisions, 'workspace_id', '', { as: member }), [workspace_id]);
      assert.deepEqual(await complete(memory, 'memory_id', 'zebra', { others: { workspace_id: other } }), []);
      const narrow = { as: member, others: { workspace_id: other } };
      assert.deepEqual(
        await complete(memory, 'memory_id', 'zebra', narrow),
        [node.id, event.id],
        'not theirs',
      );
      for (const as of [callerWith(), callerWith({ workspaceId: other })])
        assert.deepEqual(await complete(memory, 'memory_id', '', { as }), []);
      for (const value of ['%', '_', "' OR 1=1 --", '\0', '\ud800', 'x'.repeat(100_000)])
        assert.deepEqual(await complete(memory, 'memory_id', value), []);
      assert.deepEqual(await complete(memory, 'project_id', ''), [], 'not a variable of it');
      await rejects(
        complete(memory, 'memory_id', '', { as: callerWith({ scopes: ['search:read'] }) }),
        'PERMISSION_DENIED',
      );
    });

    it('tell of their changes', async () => {
      const uris: string[] = [];
      const stop = host.catalog.onChanged((change) => change.kind === 'resource' && uris.push(change.uri));
      try {
        const decision = { workspace_id, node_type: 'decision', title: 'Ferry', content: 'At noon.' };
        const decisions = `service://workspaces/${workspace_id}/decisions`;
        await until(async () => {
          // Changes are read from some moment after the call: each round makes one.
          const { id } = await host.use<Made>('memory_create_node', decision);
          await host.use('memory_update_node', { node_id: id, content: `At one. ${id}` });
          return uris.includes(decisions);
        });
        const { id: node_id } = await host.use<Made>('memory_create_node', decision);
        const { id: event_id } = await host.use<Made>('memory_create_event', {
          workspace_id,
          title: 'Ferry',
          content: 'Late.',
          event_type: 'note',
        });
        const memory = (id: string) => `service://memory/${id}`;
        const tells = async <T>(expected: readonly string[], work: () => Promise<T>): Promise<T> => {
          await until(async () => uris.splice(0).length === 0);
          const result = await work();
          await until(async () => expected.every((uri) => uris.includes(uri)));
          return result;
        };
        for (const [tool, args, expected] of [
          ['memory_update_node', { node_id, title: 'The ferry' }, [memory(node_id), decisions]],
          ['memory_update_event', { event_id, title: 'The ferry' }, [memory(event_id), decisions]],
          ['memory_set_node_status', { node_id, status: 'disputed' }, [memory(node_id), decisions]],
          ['memory_delete_event', { event_id }, [memory(event_id), decisions]],
        ] as const)
          await tells(expected, () => host.use(tool, args));
        const { id: other } = await host.use<Made>('memory_create_node', { ...decision, title: 'Boat' });
        const merge = { ids: [node_id, other], keep: node_id };
        const both = [memory(node_id), memory(other), decisions];
        const { change_id } = await tells(both, () => host.use<{ change_id: string }>('memory_merge', merge));
        await tells(both, () => host.use('memory_undo', { change_id }));
        const line = { record: 'node', id: 'ferry', ...decision, workspace_id: undefined };
        await tells([decisions], () => importLines(host, { workspace_id }, [line]));
        await tells([memory(node_id), decisions], () => host.use('memory_delete_node', { node_id }));
      } finally {
        stop();
      }
    });
  });
});
