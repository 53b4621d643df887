import assert from 'node:assert/strict';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import type { KnowledgeEdge, Relation } from '@service-mcp/plugin-memory/contract';
import { edgeTools } from './edge-tools.js';
import { createNode, expire, newWorkspace, startMemory, storeEvent, type Made } from './start-memory.js';

interface EdgePage {
  readonly items: readonly KnowledgeEdge[];
  readonly total: number;
}
const MISSING = '00000000-0000-7000-8000-000000000000';

eachDatabase((fresh) => {
  describe('edges between knowledge nodes', () => {
    let host: TestHost;
    let workspace_id: string;
    let [a, b, c] = ['', '', ''];
    before(async () => {
      host = await startMemory(await fresh(), { workers: false, plugins: [edgeTools] });
    });
    after(() => host.stop());
    beforeEach(async () => {
      workspace_id = await newWorkspace(host);
      [a, b, c] = [await node('a'), await node('b'), await node('c')];
    });

    const node = async (title: string, more: object = {}) =>
      (await createNode(host, { workspace_id, title, ...more })).id;
    const link = (source_node_id: string, target_node_id: string, more: object = {}) =>
      host.use<KnowledgeEdge>('edges_link', {
        workspace_id,
        source_node_id,
        target_node_id,
        relation_type: 'influences',
        ...more,
      });
    const page = (node_id: string, more: object = {}) =>
      host.use<EdgePage>('edges_list', { workspace_id, node_id, ...more });
    const edgesOf = async (node_id: string) =>
      (await page(node_id)).items.toSorted((x, y) => (x.id < y.id ? -1 : 1));
    const neighbours = async (ids: readonly string[], more: object = {}) => {
      const args = { workspace_id, ids, ...more };
      const { relations } = await host.use<{ relations: Relation[] }>('edges_neighbours', args);
      return relations.map((each) => [each.source_node_id, each.relation_type, each.target_node_id]);
    };
    const deleteMany = async (...ids: readonly string[]) =>
      (await host.use<{ change_id: string }>('memory_delete_many', { workspace_id, ids })).change_id;
    const merge = async (keep: string, ...others: readonly string[]) =>
      (await host.use<{ change_id: string }>('memory_merge', { ids: [keep, ...others], keep })).change_id;
    const undo = (change_id: string) => host.use('memory_undo', { change_id });
    const rows = async () => (await host.database.sql('memory_edges').where({ workspace_id })).length;
    const recorded = async () => {
      const events = (await host.database
        .sql('change_events')
        .where({ workspace_id })
        .where('type', 'like', 'memory.edge.%')
        .orderBy('id')
        .pluck('type')) as string[];
      return events.map((type) => type.slice('memory.edge.'.length));
    };

    it('are made, listed in both directions and removed', async () => {
      const edge = await link(a, b, { weight: 0.5, context: 'since "a" came first' });
      assert.deepEqual(
        [edge.source_node_id, edge.target_node_id, edge.relation_type, edge.weight, edge.context],
        [a, b, 'influences', 0.5, 'since "a" came first'],
      );
      const back = await link(b, a, { relation_type: 'depends_on' });
      assert.deepEqual([back.weight, back.context], [1, null]);
      assert.deepEqual(await edgesOf(a), [edge, back]);
      assert.deepEqual(await edgesOf(b), [edge, back]);
      assert.deepEqual(await edgesOf(c), []);
      const second = await page(a, { per_page: 1, page: 2 });
      assert.deepEqual([second.items, second.total], [[edge], 2]);
      assert.deepEqual(await host.use('edges_unlink', { edge_id: edge.id }), edge);
      assert.deepEqual(await edgesOf(a), [back]);
      await rejects(host.use('edges_unlink', { edge_id: edge.id }), 'NOT_FOUND');
      assert.deepEqual(await recorded(), ['created', 'created', 'deleted']);
    });

    it('exist once for each type, however many make it at once; a repeated one gets weight and context', async () => {
      const made = await Promise.all(Array.from({ length: 16 }, () => link(a, b)));
      assert.equal(new Set(made.map(({ id }) => id)).size, 1);
      const again = await link(a, b, { weight: 0.25, context: 'why' });
      assert.deepEqual(await edgesOf(a), [{ ...made[0], weight: 0.25, context: 'why' }]);
      assert.deepEqual(await link(a, b, { weight: 0.25, context: 'why' }), again);
      const events = await recorded();
      assert.deepEqual([events.filter((type) => type === 'created').length, events.at(-1)], [1, 'updated']);
      await link(a, b, { relation_type: 'contradicts' });
      assert.equal((await edgesOf(a)).length, 2);
    });

    it('are refused between a node and itself, absent nodes, nodes of other workspaces and strange types', async () => {
      const { id: event } = await storeEvent(host, { workspace_id, title: 't' });
      const foreign = await createNode(host, { workspace_id: await newWorkspace(host), title: 'x' });
      const gone = await node('gone');
      await host.use('memory_delete_node', { node_id: gone });
      await rejects(link(a, a), 'INVALID_ARGUMENT', /another node/);
      for (const absent of [
        MISSING,
        event,
        foreign.id,
        gone,
        "'; DROP TABLE memory_edges; --",
        '%',
        '\u{1F980}',
      ]) {
        await rejects(link(a, absent), 'NOT_FOUND', /memory_list_nodes/);
        await rejects(link(absent, a), 'NOT_FOUND', /memory_list_nodes/);
        await rejects(page(absent), 'NOT_FOUND');
      }
      for (const bad of [
        { relation_type: 'loves' },
        { weight: 1.1 },
        { weight: -1 },
        { weight: '1' },
        { context: ' ' },
        { context: 'x'.repeat(2001) },
      ])
        await rejects(link(a, b, bad), 'INVALID_ARGUMENT');
      await rejects(host.use('edges_list', { workspace_id, node_id: foreign.id }), 'NOT_FOUND', undefined);
      assert.equal(await rows(), 0);
    });

    it('keep no secret in their context', async () => {
      const token = ['gh', 'p_', 'A1b2'.repeat(9)].join('');
      const { context } = await link(a, b, { context: `deployed with ${token}` });
      assert.match(context ?? '', /^deployed with /);
      assert.ok(!JSON.stringify([context, await edgesOf(a)]).includes(token));
    });

    it('are made with a node in one transaction: an absent target leaves nothing', async () => {
      const relations = [
        { relation_type: 'depends_on', target_id: a },
        { relation_type: 'implements', target_id: b, weight: 0.5 },
        { relation_type: 'implements', target_id: b, weight: 0.75 },
      ];
      const id = await node('d', { relations });
      assert.deepEqual(
        (await edgesOf(id)).map(({ target_node_id, relation_type, weight }) => [
          target_node_id,
          relation_type,
          weight,
        ]),
        [
          [a, 'depends_on', 1],
          [b, 'implements', 0.75],
        ],
      );
      const before = (await host.use<EdgePage>('memory_list_nodes', { workspace_id })).total;
      const bad = [...relations, { relation_type: 'depends_on', target_id: MISSING }];
      await rejects(node('e', { relations: bad }), 'NOT_FOUND', new RegExp(MISSING));
      await rejects(
        node('e', { relations: [{ relation_type: 'depends_on' }] }),
        'INVALID_ARGUMENT',
        /target_id/,
      );
      const many = Array.from({ length: 101 }, () => ({ relation_type: 'depends_on', target_id: a }));
      await rejects(node('e', { relations: many }), 'INVALID_ARGUMENT', /relations/);
      assert.equal((await host.use<EdgePage>('memory_list_nodes', { workspace_id })).total, before);
      assert.equal(await rows(), 2);
    });

    it('lead from nodes to their neighbours, the strongest first, superseded ones included', async () => {
      await link(a, b, { weight: 0.5 });
      await link(c, a, { weight: 0.75, relation_type: 'contradicts' });
      await link(b, c, { weight: 0.1 });
      const { new: next } = await host.use<{ new: Made }>('memory_supersede_node', {
        node_id: a,
        title: 'next',
        content: 'next',
      });
      const superseding = [next.id, 'supersedes', a];
      assert.deepEqual(await neighbours([a]), [superseding, [c, 'contradicts', a], [a, 'influences', b]]);
      assert.deepEqual(await neighbours([next.id]), [superseding]);
      assert.deepEqual(await neighbours([a, b], { types: ['influences'] }), [
        [a, 'influences', b],
        [b, 'influences', c],
      ]);
      assert.deepEqual(await neighbours([a], { limit: 1 }), [superseding]);
      await link(next.id, a, { relation_type: 'supersedes', weight: 0.9 });
      assert.deepEqual(await neighbours([next.id]), [superseding], 'said twice, it is one relation');
      assert.deepEqual(await neighbours([]), []);
    });

    it('stand beside contradictions that the checks of memory found, while both nodes are in force', async () => {
      const said = (seconds: number) =>
        node('Timeout of the upstream connection', {
          content: `The gateway waits ${seconds} seconds for the first byte of an answer of the upstream service`,
        });
      const [short, long] = [await said(30), await said(60)];
      for (let unchecked = 1; unchecked > 0;)
        ({ unchecked } = await host.use<{ unchecked: number }>('memory_hygiene', { workspace_id }));
      const contradictions = async (...ids: readonly string[]) =>
        (await host.use<{ relations: Relation[] }>('edges_contradictions', { workspace_id, ids })).relations;
      const [pair] = await contradictions(short);
      assert.deepEqual(new Set([pair?.source_node_id, pair?.target_node_id]), new Set([short, long]));
      assert.equal(pair?.relation_type, 'contradicts');
      assert.equal((await contradictions(short, long)).length, 1);
      assert.deepEqual(await contradictions(a), []);
      await host.use('memory_supersede_node', { node_id: short, superseded_by: long });
      assert.deepEqual(await contradictions(long), []);
    });

    it('go with a deleted node, and come back with it where the deletion is undone', async () => {
      await link(a, b);
      await link(b, c);
      const before = await edgesOf(b);
      const first = await deleteMany(a);
      const second = await deleteMany(b, c);
      await undo(first);
      assert.deepEqual(await edgesOf(a), [], 'its other end is still deleted');
      assert.deepEqual(await neighbours([a]), []);
      await undo(second);
      assert.deepEqual(await edgesOf(b), before, 'in whatever order');
      await deleteMany(a);
      const [hidden] = before;
      await rejects(host.use('edges_unlink', { edge_id: hidden?.id }), 'NOT_FOUND');
      await host.use('memory_delete_node', { node_id: b });
      assert.equal(await rows(), 0, 'a deletion without undo leaves none');
    });

    it('move to the node that a merge keeps, without doubles and loops; undo moves them back', async () => {
      const d = await node('d');
      await link(a, c, { weight: 0.3 });
      await link(b, c, { weight: 0.6 });
      await link(a, b);
      await link(d, b, { relation_type: 'depends_on' });
      const before = await Promise.all([a, b, c, d].map(edgesOf));
      const change = await merge(a, b);
      assert.deepEqual(
        (await edgesOf(a)).map((edge) => [edge.source_node_id, edge.target_node_id, edge.weight]),
        [
          [a, c, 0.3],
          [d, a, 1],
        ],
      );
      await link(d, a, { relation_type: 'depends_on', weight: 0.2 });
      await undo(change);
      const [ofA, ofB, ofC, ofD] = await Promise.all([a, b, c, d].map(edgesOf));
      assert.deepEqual([ofA, ofC], [before[0], before[2]]);
      assert.deepEqual(ofD, [{ ...before[3]?.[0], weight: 0.2 }], 'a later change stays');
      assert.deepEqual(ofB?.slice(0, 2), before[1]?.slice(0, 2));
      assert.equal((await recorded()).filter((type) => type === 'deleted').length, 0);
    });

    it('are moved back by two undone merges, in whatever order', async () => {
      const d = await node('d');
      await link(a, c);
      await link(b, d);
      await link(b, a, { relation_type: 'implements' });
      const before = await Promise.all([a, b, c, d].map(edgesOf));
      for (const order of [0, 1]) {
        const e = await node(`e${order}`);
        const f = await node(`f${order}`);
        const changes = [await merge(e, b), await merge(f, a)];
        assert.deepEqual(
          (await edgesOf(e)).map((edge) => [edge.source_node_id, edge.target_node_id]),
          [
            [e, d],
            [e, f],
          ],
        );
        for (const change of order === 0 ? changes : changes.toReversed()) await undo(change);
        assert.deepEqual(await Promise.all([a, b, c, d].map(edgesOf)), before);
      }
    });

    it('stay where a later merge left no room for them', async () => {
      const d = await node('d');
      await link(a, c);
      await link(b, c);
      await link(b, d);
      const first = await merge(d, c); // b has its edge to d already: the one to c stays with c
      const second = await merge(a, b); // and moves to a, where the one of a was
      await undo(first);
      assert.deepEqual(await neighbours([a]), [
        [a, 'influences', c],
        [a, 'influences', d],
      ]);
      await undo(second);
      assert.deepEqual(await neighbours([b]), [
        [b, 'influences', c],
        [b, 'influences', d],
      ]);
    });

    it('survive merges and deletions of both their nodes at once', async () => {
      for (let round = 0; round < 5; round++) {
        const names = ['source', 'target', 'kept source', 'kept target'];
        const ids = await Promise.all(names.map((name) => node(`${name} ${round}`)));
        const [source = '', target = '', keptSource = '', keptTarget = ''] = ids;
        await link(source, target);
        await Promise.all([merge(keptSource, source), merge(keptTarget, target)]);
        const [edge] = await edgesOf(keptSource);
        assert.deepEqual([edge?.source_node_id, edge?.target_node_id], [keptSource, keptTarget]);
      }
      const many = await Promise.all(Array.from({ length: 8 }, (_, i) => node(`many ${i}`)));
      for (const from of many)
        await Promise.all(many.filter((to) => to !== from).map((to) => link(from, to)));
      const others = await rows();
      await Promise.all(many.map((node_id) => host.use('memory_delete_node', { node_id })));
      assert.equal(await rows(), others - 8 * 7);
    });

    it('of deleted nodes are erased when the undo expires, and all with their workspace', async () => {
      await link(a, b);
      await link(b, c);
      const changes = [await deleteMany(a), await merge(b, c)];
      assert.equal(await rows(), 2);
      await expire(host, changes);
      assert.equal(await rows(), 0, 'a is gone, and the loop of b');
      const d = await node('d');
      await link(b, d);
      await host.use('workspaces_delete', { workspace_id });
      assert.equal(await rows(), 0);
    });
  });
});
