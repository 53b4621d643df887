import assert from 'node:assert/strict';
import { completeResult } from '@service-mcp/core/wire';
import { callerWith, eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import {
  createNode,
  expire,
  indexed,
  newWorkspace,
  storeEvent,
  tick,
  type Made,
  inNewWorkspaces,
} from './start-memory.js';

const LONG = 'The deployment of the gateway failed since its certificate had expired on the second node.';

eachDatabase((fresh) => {
  describe('duplicates, merges, deletions and their undoing', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made));

    const store = (content: string, more: object = {}) =>
      storeEvent(host, { workspace_id, event_type: 'bug', title: 'Gateway down', content, ...more });
    const node = (title: string, content: string, more: object = {}) =>
      createNode(host, { workspace_id, title, content, ...more });
    /** A record without what indexing changes. */
    const read = async (tool: string, args: object) => {
      const { indexing_status: _s, indexing_error: _e, ...record } = await host.use<Made>(tool, args);
      return record;
    };
    const get = (event_id: string) => read('memory_get_event', { event_id });
    const getNode = (node_id: string) => read('memory_get_node', { node_id });
    const count = async () =>
      (await host.use<{ total: number }>('memory_list_events', { workspace_id })).total;

    it('names the events that say the same, whatever the case and marks', async () => {
      const first = await store(LONG);
      assert.deepEqual(first.duplicates, []);
      const again = await store(LONG.toUpperCase().replace('.', '!'));
      assert.deepEqual(again.duplicates, [{ id: first.id, similarity: 1 }]);
      const near = await store(`${LONG} Again`);
      assert.equal(near.duplicates.length, 2);
      assert.equal(await count(), 3, 'keep is the default');
    });

    it('does not take another number, a negation or another project for the same', async () => {
      const project = await host.use<Made>('projects_create', { workspace_id, name: 'p' });
      await store('The timeout of the upstream connection of the gateway is 30 seconds in production');
      const facts = [
        'The timeout of the upstream connection of the gateway is 60 seconds in production',
        'The timeout of the upstream connection of the gateway is not 30 seconds in production',
      ];
      for (const fact of facts) assert.deepEqual((await store(fact)).duplicates, [], fact);
      const elsewhere = await store(
        'The timeout of the upstream connection of the gateway is 30 seconds in production',
        { project_id: project.id },
      );
      assert.deepEqual(elsewhere.duplicates, []);
    });

    it('merges into the twin, or refuses, as asked; however many store at once', async () => {
      const first = await store(LONG, { tags: ['a'], metadata: { x: 1 }, provenance: { repo: 'r' } });
      const merged = await store(LONG, {
        on_duplicate: 'merge',
        tags: ['b'],
        metadata: { x: 2, y: 3 },
        provenance: { branch: 'main' },
      });
      assert.equal(merged.id, first.id);
      assert.deepEqual(
        [merged.tags, merged['metadata'], merged['provenance']],
        [['a', 'b'], { x: 1, y: 3 }, { repo: 'r', branch: 'main' }],
      );
      await rejects(store(LONG, { on_duplicate: 'reject' }), 'CONFLICT', new RegExp(first.id));
      const other = `${LONG} It was the fourth time this year that nobody had been told in advance.`;
      const tries = await Promise.allSettled(
        Array.from({ length: 8 }, () => store(other, { title: 'Certificates', on_duplicate: 'reject' })),
      );
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(await count(), 2);
    });

    it('treats nodes in the same way, within one type and project, and passes over superseded ones', async () => {
      const project = await host.use<Made>('projects_create', { workspace_id, name: 'p' });
      const first = await node('Gateway', LONG, { tags: ['a'] });
      assert.deepEqual(first.duplicates, []);
      assert.deepEqual((await node('gateway', LONG.toUpperCase())).duplicates, [
        { id: first.id, similarity: 1 },
      ]);
      assert.deepEqual((await store(LONG, { title: 'Gateway' })).duplicates, [], 'an event is not a node');
      for (const more of [{ node_type: 'lesson' }, { project_id: project.id }])
        assert.deepEqual((await node('Gateway', LONG, more)).duplicates, []);
      await rejects(
        node('Gateway', LONG, { on_duplicate: 'reject' }),
        'CONFLICT',
        /^The node .* memory_update_node/,
      );
      const merged = await node('Gateway', LONG, {
        on_duplicate: 'merge',
        tags: ['b'],
        relations: [{ relation_type: 'related_to', target_id: first.id }],
      });
      assert.deepEqual([merged.id, merged.tags], [first.id, ['a', 'b']]);
      const other = 'The certificates of the gateway are renewed by hand on the first Monday of each month.';
      const tries = await Promise.allSettled(
        Array.from({ length: 16 }, () => node('Certificates', other, { on_duplicate: 'merge' })),
      );
      const ids = tries.map((each) => (each.status === 'fulfilled' ? each.value.id : each.reason));
      assert.equal(new Set(ids).size, 1, 'one node, however many store at once');
      const { old } = await host.use<{ old: Made }>('memory_supersede_node', {
        node_id: ids[0],
        title: 'Certificates renew themselves',
        content: 'A program renews them.',
      });
      assert.deepEqual(
        (await node('Certificates', other, { on_duplicate: 'reject' })).duplicates,
        [],
        old.id,
      );
    });

    it('says of an id of the other kind what it is, to those who see it', async () => {
      const [event, fact] = [await store('Decided.'), await node('Fact', 'True.')];
      const next = { node_id: event.id, title: 'new', content: 'new' };
      await rejects(
        host.use('memory_supersede_node', next),
        'NOT_FOUND',
        /^There is no node .*: it is an event, which memory_list_events lists .* memory_create_node/,
      );
      await rejects(
        host.use('memory_get_event', { event_id: fact.id }),
        'NOT_FOUND',
        /^There is no event .*: it is a knowledge node, which memory_get_node shows/,
      );
      const caller = callerWith({ workspaceId: await newWorkspace(host) });
      await rejects(
        host.use('memory_get_event', { event_id: fact.id }, { caller }),
        'NOT_FOUND',
        /that you may see/,
      );
    });

    it('names the nodes in force that a node contradicts, and what to do', async () => {
      const content = 'Orders of the warehouse ship on the same day where they come before 15:00.';
      const old = await node('Cutoff of the warehouse', content);
      assert.deepEqual(old['contradictions'], []);
      const earlier = content.replace('15:00', '14:00');
      const args = { workspace_id, node_type: 'fact', title: 'Cutoff of the warehouse', content: earlier };
      const answer = await host.catalog.call('memory_create_node', args, host.call());
      const result = completeResult(answer);
      const { id, contradictions, duplicates } = result.structuredContent as unknown as Made;
      assert.deepEqual([contradictions, duplicates], [[{ id: old.id, title: old.title }], []]);
      const expected = `Cutoff of the warehouse [${old.id}]. Of one that no longer holds: memory_supersede_node with its id and superseded_by ${id}.`;
      assert.ok(JSON.stringify(result.content).includes(expected), JSON.stringify(result.content));
      const stated = { relations: [{ relation_type: 'contradicts', target_id: old.id }] };
      const third = await node('Cutoff of the warehouse', content.replace('15:00', '13:00'), stated);
      assert.deepEqual(third['contradictions'], [{ id, title: old.title }], 'one that it names is known');
      const event = await store(content.replace('15:00', '12:00'), { title: 'Cutoff of the warehouse' });
      assert.equal(event['contradictions'], undefined);
      const short = await node('Limit', 'The upload limit is 16 MiB.');
      const another = await node('limit', 'The upload limit is 32 MiB.');
      assert.deepEqual(another['contradictions'], [{ id: short.id, title: 'Limit' }], 'of one title');
      for (const [title, one, opposite] of [
        ['TLS', 'Required.', 'Not required.'],
        ['Beta', 'enabled', 'not enabled'],
        ['Timeout of proxies', '30s', '60 s'],
        ['超时', '上游连接的超时是30秒。', '上游连接的超时为60秒。'],
        ['Hours of the depot', 'It opens at 6 and closes late.', 'Opens from 8, except on holidays.'],
      ] as const) {
        const { id: first } = await node(title, one);
        assert.deepEqual((await node(title, opposite))['contradictions'], [{ id: first, title }]);
      }
      const unrelated = await node('Limit', 'Who decides about 2 of them is on call.');
      assert.deepEqual([unrelated['duplicates'], unrelated['contradictions']], [[], []]);
    });

    it('merges what a person names, and undo restores each of them exactly', async () => {
      const a = await store('one text', { tags: ['a'], title: 'A' });
      const b = await store('quite another', { tags: ['b'], title: 'B', importance: 'critical' });
      const before = [await get(a.id), await get(b.id)];
      const { change_id, merged } = await host.use<{ change_id: string; merged: string[] }>('memory_merge', {
        ids: [a.id, b.id],
        keep: a.id,
      });
      assert.deepEqual(merged, [b.id]);
      const kept = await get(a.id);
      assert.deepEqual([kept.tags, kept['importance']], [['a', 'b'], 'critical']);
      await rejects(get(b.id), 'NOT_FOUND');
      await host.use('memory_undo', { change_id });
      assert.deepEqual([await get(a.id), await get(b.id)], before);
      await rejects(host.use('memory_undo', { change_id }), 'CONFLICT', /undone/);
      await indexed(host, workspace_id);
      const { results } = await host.use<{ results: Made[] }>('memory_search', {
        workspace_id,
        query: 'quite another',
      });
      assert.equal(results[0]?.id, b.id, 'what was restored is found');
    });

    it('undoes a merge without loss of a later change of what it kept', async () => {
      const [a, b] = [await store('one text', { title: 'A' }), await store('quite another', { title: 'B' })];
      const { change_id } = await host.use<{ change_id: string }>('memory_merge', {
        ids: [a.id, b.id],
        keep: a.id,
      });
      await tick();
      await host.use('memory_update_event', { event_id: a.id, title: 'later' });
      const undone = await host.use<object>('memory_undo', { change_id });
      assert.deepEqual(undone, { change_id, restored: [b.id], left: [a.id] });
      assert.deepEqual([(await get(a.id))['title'], (await get(b.id)).title], ['later', 'B']);
    });

    it('merges nodes with their versions and what points to them', async () => {
      const old = await node('old', 'what was');
      const { new: twin } = await host.use<{ new: Made }>('memory_supersede_node', {
        node_id: old.id,
        title: 'new',
        content: 'what is',
      });
      const kept = await node('new too', 'what is');
      const before = [await getNode(old.id), await getNode(twin.id), await getNode(kept.id)];
      const history = async (id: string) =>
        (await host.use<{ total: number }>('memory_node_history', { node_id: id })).total;
      const versions = await history(twin.id);
      const { change_id } = await host.use<{ change_id: string }>('memory_merge', {
        ids: [kept.id, twin.id],
        keep: kept.id,
      });
      assert.equal((await getNode(old.id))['superseded_by'], kept.id);
      await host.use('memory_undo', { change_id });
      assert.deepEqual([await getNode(old.id), await getNode(twin.id), await getNode(kept.id)], before);
      assert.equal(await history(twin.id), versions);
      const event = await store('x');
      await rejects(
        host.use('memory_merge', { ids: [kept.id, event.id], keep: kept.id }),
        'INVALID_ARGUMENT',
        /one kind/,
      );
      await rejects(
        host.use('memory_merge', { ids: [old.id, twin.id], keep: kept.id }),
        'INVALID_ARGUMENT',
        /keep/,
      );
    });

    it('deletes many, all or none, and restores them', async () => {
      const events = [
        await store('a b c', { title: '1', tags: ['t'] }),
        await store('d e f', { title: '2' }),
      ];
      const fact = await node('f', 'fact');
      const ids = [...events.map(({ id }) => id), fact.id];
      const before = [await get(ids[0] ?? ''), await get(ids[1] ?? ''), await getNode(fact.id)];
      const foreign = await newWorkspace(host);
      await rejects(host.use('memory_delete_many', { workspace_id: foreign, ids }), 'NOT_FOUND');
      const missing = '00000000-0000-7000-8000-000000000000';
      await rejects(host.use('memory_delete_many', { workspace_id, ids: [...ids, missing] }), 'NOT_FOUND');
      assert.equal(await count(), 2);
      const { change_id, deleted } = await host.use<{ change_id: string; deleted: number }>(
        'memory_delete_many',
        { workspace_id, ids },
      );
      assert.equal(deleted, 3);
      assert.equal(await count(), 0);
      await indexed(host, workspace_id);
      await host.use('memory_undo', { change_id });
      assert.deepEqual([await get(ids[0] ?? ''), await get(ids[1] ?? ''), await getNode(fact.id)], before);
      const tagged = await host.use<{ total: number }>('memory_list_events', { workspace_id, tags: ['t'] });
      assert.equal(tagged.total, 1);
    });

    it('names the way to delete a node whose history is larger than undo keeps', async () => {
      const { id } = await createNode(host, { workspace_id, title: 'long history' });
      const { sql } = host.database;
      const [first] = (await sql('memory_node_versions').where({ node_id: id })) as Array<{ node: string }>;
      const node = JSON.stringify({
        ...(JSON.parse(first?.node ?? '{}') as object),
        content: 'x'.repeat(1e6),
      });
      for (let version = 2; version < 20; version++)
        await sql('memory_node_versions').insert({ ...first, version, node });
      const statements: string[] = [];
      sql.on('query', ({ sql: statement }: { sql: string }) => statements.push(statement));
      const remove = () => host.use('memory_delete_many', { workspace_id, ids: [id] });
      await rejects(remove(), 'INVALID_ARGUMENT', /deleted for good by memory_delete_node/);
      const reads = statements.filter((each) => /^(delete|select \*) from .memory_node_versions/.test(each));
      assert.deepEqual(reads, [], 'refused before the history is read');
      await host.use('memory_delete_node', { node_id: id });
      assert.deepEqual(await sql('memory_node_versions').where({ node_id: id }), []);
    });

    it('forgets after thirty days what undo would need', async () => {
      const event = await store('short lived');
      const { change_id } = await host.use<{ change_id: string }>('memory_delete_many', {
        workspace_id,
        ids: [event.id],
      });
      const { id } = await store('a second one');
      const { change_id: young } = await host.use<{ change_id: string }>('memory_delete_many', {
        workspace_id,
        ids: [id],
      });
      await expire(host, [change_id]);
      await rejects(host.use('memory_undo', { change_id }), 'NOT_FOUND');
      await host.use('memory_undo', { change_id: young });
    });
  });
});
