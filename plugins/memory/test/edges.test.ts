import assert from 'node:assert/strict';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import type { Relation } from '@service-mcp/plugin-memory/contract';
import { edgeTools } from './edge-tools.js';
import { edgeWorkspace, type EdgePage, type EdgeWorkspace } from './edge-workspace.js';
import { createNode, newWorkspace, startMemory, storeEvent, type Made } from './start-memory.js';

const MISSING = '00000000-0000-7000-8000-000000000000';

eachDatabase((fresh) => {
  describe('edges between knowledge nodes', () => {
    let host: TestHost;
    let at: EdgeWorkspace;
    before(async () => {
      host = await startMemory(await fresh(), { workers: false, plugins: [edgeTools] });
    });
    after(() => host.stop());
    beforeEach(async () => (at = await edgeWorkspace(host)));

    it('are made, listed in both directions and removed', async () => {
      const { a, b, c, link, page, edgesOf, recorded } = at;
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
      const { a, b, link, edgesOf, recorded } = at;
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
      const { workspace_id, a, b, node, link, page, rows } = at;
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
        await rejects(link(a, absent), 'NOT_FOUND', /memory_search/);
        await rejects(link(absent, a), 'NOT_FOUND', /memory_search/);
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
      const { a, b, link, edgesOf } = at;
      const token = ['gh', 'p_', 'A1b2'.repeat(9)].join('');
      const { context } = await link(a, b, { context: `deployed with ${token}` });
      assert.match(context ?? '', /^deployed with /);
      assert.ok(!JSON.stringify([context, await edgesOf(a)]).includes(token));
    });

    it('are made with a node in one transaction: an absent target leaves nothing', async () => {
      const { workspace_id, a, b, node, edgesOf, rows } = at;
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
      const { a, b, c, link, neighbours } = at;
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
      const { workspace_id, a, node } = at;
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
  });
});
