import assert from 'node:assert/strict';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import { relatedText } from '@service-mcp/plugin-graph/internals';
import type { KnowledgeEdge } from '@service-mcp/plugin-memory/contract';
import { startGraph, until } from './support/start-graph.js';

interface Related {
  readonly nodes: ReadonlyArray<{ id: string; title: string; depth: number; score: number; status: string }>;
  readonly edges: ReadonlyArray<{
    source: string;
    target: string;
    relation_type: string;
    weight: number;
    origin: string;
  }>;
  readonly total: number;
  readonly truncated: boolean;
}

eachDatabase((fresh) => {
  describe('knowledge beside the code', () => {
    let host: TestHost;
    let workspace_id: string;
    before(async () => {
      host = await startGraph(await fresh());
    });
    after(() => host.stop());
    beforeEach(async () => {
      workspace_id = (await host.use<{ id: string }>('workspaces_create', { name: 'Team' })).id;
    });

    const node = async (title: string, more: object = {}) => {
      const content = `${title} is what ${title} says about ${title}`;
      const fields = { workspace_id, node_type: 'fact', title, content, ...more };
      return (await host.use<{ id: string }>('memory_create_node', fields)).id;
    };
    const link = (source_node_id: string, target_node_id: string, more: object = {}) =>
      host.use<KnowledgeEdge>('graph_link_knowledge', {
        workspace_id,
        source_node_id,
        target_node_id,
        relation_type: 'depends_on',
        ...more,
      });
    const related = (node_id: string, more: object = {}) =>
      host.use<Related>('graph_related_knowledge', { node_id, include_semantic: false, ...more });
    const found = async (node_id: string, more: object = {}) =>
      (await related(node_id, more)).nodes.map(({ title, depth, score }) => [title, depth, score]);

    it('is shown to who may read memory', async () => {
      const [a, b] = [await node('a'), await node('b')];
      await link(a, b, { context: 'b comes first' });
      const as = (...scopes: string[]) => ({ caller: { ...host.call().caller, scopes } });
      for (const tool of ['graph_related_knowledge', 'graph_list_links']) {
        await rejects(host.use(tool, { node_id: a }, as('graph:read')), 'PERMISSION_DENIED', /memory:read/);
        await host.use(tool, { node_id: a }, as('graph:read', 'memory:read'));
      }
    });

    it('is related, listed and taken apart by tools', async () => {
      const [a, b] = [await node('a'), await node('b')];
      const edge = await link(a, b, { weight: 0.5, context: 'b comes first' });
      const page = await host.use<{ items: KnowledgeEdge[] }>('graph_list_links', { node_id: b });
      assert.deepEqual(page.items, [edge]);
      assert.deepEqual(await host.use('graph_unlink_knowledge', { edge_id: edge.id }), {
        id: edge.id,
        deleted: true,
      });
      await rejects(
        host.use('graph_unlink_knowledge', { edge_id: edge.id }),
        'NOT_FOUND',
        /graph_list_links/,
      );
      await rejects(link(a, a), 'INVALID_ARGUMENT', /another node/);
      await rejects(link(a, workspace_id), 'NOT_FOUND', /memory_search/);
    });

    it('is found over several steps, nearer and stronger nodes first', async () => {
      const [a, b, c, d] = [await node('a'), await node('b'), await node('c'), await node('d')];
      await link(a, b, { weight: 0.5 });
      await link(c, b);
      await link(c, d, { relation_type: 'contradicts' });
      await link(d, a, { weight: 0.2 });
      assert.deepEqual(await found(a, { max_depth: 1 }), [
        ['b', 1, 0.5],
        ['d', 1, 0.2],
      ]);
      assert.deepEqual(await found(a), [
        ['b', 1, 0.5],
        ['c', 2, 0.35],
        ['d', 1, 0.2],
      ]);
      assert.deepEqual(await found(a, { relation_types: ['contradicts'] }), []);
      assert.deepEqual(await found(c, { relation_types: ['contradicts'] }), [['d', 1, 1]]);
      const first = await related(a, { limit: 1 });
      assert.deepEqual([first.total, first.truncated, first.nodes.length], [3, true, 1]);
      assert.deepEqual(
        first.edges.map(({ source, target, origin }) => [source, target, origin]),
        [[a, b, 'explicit']],
      );
    });

    it('is found by shared code and by what superseded it', async () => {
      const code_refs = [{ path: 'src/store.ts', symbol: 'Store.get' }];
      const [a, b] = [await node('a', { code_refs }), await node('b', { code_refs })];
      const { new: next } = await host.use<{ new: { id: string } }>('memory_supersede_node', {
        node_id: a,
        title: 'next',
        content: 'what holds now',
      });
      const { nodes, edges } = await related(a);
      assert.deepEqual(new Set(nodes.map(({ id }) => id)), new Set([b, next.id]));
      assert.deepEqual(
        edges.map(({ relation_type, origin, weight }) => `${relation_type} ${origin} ${weight}`).sort(),
        ['related_to code 1', 'related_to code 1', 'supersedes explicit 1'],
        'the successor is about the same code',
      );
    });

    it('is found by meaning once it is indexed', async () => {
      const timeout = (words: string) => ({ content: `The gateway retries a failed upload ${words}` });
      const a = await node('Retries of uploads', timeout('three times before it reports an error'));
      const b = await node('Uploads are retried', timeout('three times, then the error is reported'));
      await node('Colour of the logo', { content: 'Blue, as the founder wished in the first year' });
      const pending = { workspace_id, indexing_status: 'pending' };
      await until(async () => (await host.use<{ total: number }>('memory_list_nodes', pending)).total === 0);
      const { nodes, edges } = await related(a, { include_semantic: true });
      assert.equal(nodes[0]?.id, b);
      assert.equal(edges[0]?.origin, 'semantic');
      assert.ok(!nodes.some(({ title }) => title === 'Colour of the logo'));
      assert.deepEqual(await found(a), [], 'only when it is asked for');
    });

    it('answers bad input with what to do, and ends in a circle', async () => {
      const [a, b] = [await node('a'), await node('b')];
      await Promise.all([link(a, b), link(b, a), link(a, b), link(b, a, { relation_type: 'influences' })]);
      assert.deepEqual(await found(a, { max_depth: 5 }), [['b', 1, 1]]);
      for (const bad of [
        { max_depth: 6 },
        { max_depth: 0 },
        { limit: 101 },
        { relation_types: ['loves'] },
        { relation_types: [] },
      ])
        await rejects(related(a, bad), 'INVALID_ARGUMENT');
      for (const name of ['%', "'; DROP TABLE memory_nodes; --", '\u{1F980}'])
        await rejects(related(name), 'INVALID_ARGUMENT', /memory_search/);
      await rejects(related(workspace_id), 'NOT_FOUND');
    });
  });
});

describe('related knowledge for a model', () => {
  it('is an outline with the id of every node in it', () => {
    const id = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const more = {
      kind: 'node',
      type: 'requirement',
      status: 'superseded',
      depth: 1,
      score: 0.1234,
    } as const;
    const nodes = Array.from({ length: 100 }, (_, i) => ({ ...more, id: id(i), title: 'long '.repeat(60) }));
    const edges = nodes.map((node) => ({
      source: node.id,
      target: 'this',
      relation_type: 'depends_on' as const,
      weight: 1,
      origin: 'explicit' as const,
    }));
    const back = { source: 'this', target: id(0), relation_type: 'supersedes', weight: 1 } as const;
    const all = [...edges, { ...back, origin: 'semantic' as const }];
    const text = relatedText({ nodes, edges: all, total: 120 }, 'this');
    assert.ok(text.length <= 6500, text);
    const lines = text.split('\n');
    assert.equal(lines[1], '  it depends_on this; this supersedes it (semantic)');
    const heads = lines.filter((line) => line.startsWith('requirement'));
    assert.ok(heads.length > 10);
    for (const [i, line] of heads.entries()) assert.ok(line.endsWith(` [${id(i)}]`), line);
    assert.match(text, /more lines are in the structured result\.\n20 more: raise limit\.\nmemory_search/);
  });
});
