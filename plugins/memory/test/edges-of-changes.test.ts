import assert from 'node:assert/strict';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import { edgeTools } from './edge-tools.js';
import { edgeWorkspace, type EdgeWorkspace } from './edge-workspace.js';
import { expire, startMemory } from './start-memory.js';

eachDatabase((fresh) => {
  describe('edges of nodes that change', () => {
    let host: TestHost;
    let at: EdgeWorkspace;
    before(async () => {
      host = await startMemory(await fresh(), { workers: false, plugins: [edgeTools] });
    });
    after(() => host.stop());
    beforeEach(async () => (at = await edgeWorkspace(host)));

    it('go with a deleted node, and come back with it where the deletion is undone', async () => {
      const { a, b, c, link, edgesOf, neighbours, deleteMany, undo, rows } = at;
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
      const { a, b, c, node, link, edgesOf, merge, undo, recorded } = at;
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
      const { a, b, c, node, link, edgesOf, merge, undo } = at;
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
      const { a, b, c, node, link, neighbours, merge, undo } = at;
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
      const { node, link, edgesOf, merge, rows } = at;
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
      const { workspace_id, a, b, c, node, link, deleteMany, merge, rows } = at;
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
