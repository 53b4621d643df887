import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { GraphFile } from './support/graph-files.js';
import { GET, ORDER, startShop, type Shop } from './support/start-shop.js';

interface Item {
  readonly symbol: { readonly id: string };
  readonly depth: number;
  readonly confidence: number;
  readonly via: ReadonlyArray<{
    readonly kind: string;
    readonly line: number;
    readonly path: string;
    readonly snippet?: string;
  }>;
}
interface Answer {
  readonly dependencies: Item[];
  readonly dependents: Item[];
  readonly affected: Item[];
  readonly items: ReadonlyArray<{ readonly id: string; readonly reason: string }>;
  readonly [field: string]: unknown;
}

eachDatabase((fresh) => {
  describe('dependencies, impact and call paths', () => {
    let shop: Shop;
    before(async () => {
      shop = await startShop(await fresh());
    });
    after(() => shop.host.stop());
    const ids = (items: readonly Item[]) => items.map(({ symbol }) => symbol.id);
    const ask = (tool: string, args: object = {}) => shop.ask<Answer>(tool, args);

    it('tell what a symbol uses and what uses it, with packages, cycles and the state of the index', async () => {
      const answer = await ask('graph_dependencies', { target: { type: 'function', id: ORDER } });
      assert.deepEqual(ids(answer.dependencies), [
        'src/service/order.ts#priceOf',
        'src/store/store.ts#Store.get',
        GET,
      ]);
      assert.deepEqual(ids(answer.dependents), [
        'src/api/server.ts#handle',
        'src/service/order.ts#priceOf',
        'test/order.test.ts#finds orders',
      ]);
      assert.deepEqual(answer['cycles'], [[ORDER, 'src/service/order.ts#priceOf']]);
      assert.deepEqual(answer['totals'], {
        dependencies: 3,
        dependents: 3,
        external: 0,
        by_depth: { 1: 6 },
        by_area: { '.': 6 },
      });
      assert.equal(answer['truncated'], false);
      assert.deepEqual((answer['index'] as { state: string }).state, 'indexing');
      assert.deepEqual(answer['warnings'], ['5 changed files are not in the graph yet.']);
      const [call] = answer.dependents[0]?.via ?? [];
      assert.deepEqual(call, {
        kind: 'calls',
        path: 'src/api/server.ts',
        line: 4,
        confidence: 1,
        reason: 'scope',
      });

      const module = await ask('graph_dependencies', {
        target: { type: 'module', path: 'src/service/order.ts' },
        direction: 'out',
      });
      assert.deepEqual(module['external'], [{ name: 'left-pad', version: '1.3.0' }]);
      assert.equal(module['unresolved_count'], 1);
      assert.deepEqual(ids(module.dependents), []);
    });

    it('follow more steps, some kinds, and certain edges alone', async () => {
      const target = { type: 'type', name: 'MemoryStore' };
      const all = await ask('graph_dependencies', { target, direction: 'in', include_transitive: true });
      const depths = new Map(all.dependents.map(({ symbol, depth }) => [symbol.id, depth]));
      assert.deepEqual(
        [depths.get(ORDER), depths.get('src/api/server.ts#handle'), depths.get('src/api/server.ts#get')],
        [1, 2, 3],
      );
      const order = all.dependents.find(({ symbol }) => symbol.id === ORDER);
      assert.equal(order?.confidence, 0.8);
      const sure = await ask('graph_dependencies', { target, direction: 'in', min_confidence: 0.9 });
      assert.deepEqual(ids(sure.dependents), ['src/store/store.ts#compact']);
      const inside = await ask('graph_dependencies', {
        target,
        direction: 'out',
        kinds: ['contains', 'implements'],
      });
      assert.deepEqual(ids(inside.dependencies), ['src/store/store.ts#Store', GET]);
    });

    it('draw diagrams whose labels cannot break out', async () => {
      const file = new GraphFile('src/"a];\n click.ts');
      const evil = file.add('x"] --> y; %%{init}%% <b>\\" ');
      file.edge(evil, file.id(file.add('`callee`')));
      const project_id = await shop.newProject([file.graph]);
      const target = { type: 'module', path: file.path };
      for (const format of ['mermaid', 'dot'] as const) {
        const answer = await ask('graph_dependencies', { project_id, target, format });
        assert.equal(typeof answer[format], 'string');
      }
      const request = { target: { type: 'function', id: file.id(evil) }, project_id };
      const { mermaid } = await ask('graph_dependencies', { ...request, format: 'mermaid' });
      const { dot } = await ask('graph_dependencies', { ...request, format: 'dot' });
      for (const line of String(mermaid).split('\n').slice(1))
        assert.match(
          line,
          /^ {2}(?:n\d\["[^"\]<>%\\`]*"\]|n\d --> ?\|calls\| n\d|style n0 stroke-width:3px)$/,
        );
      for (const line of String(dot).split('\n').slice(2, -1))
        assert.match(
          line,
          /^ {2}n\d (?:\[label="(?:[^"\\]|\\["\\])*"(?:, penwidth=3)?\]|-> n\d \[label="calls"\]);$/,
        );
    });

    it('tell what a change breaks, how risky it is and why', async () => {
      const answer = await ask('graph_impact_analysis', { target: { type: 'function', id: GET } });
      assert.deepEqual(ids(answer.affected).sort(), [
        'src/api/server.ts#get',
        'src/api/server.ts#handle',
        ORDER,
        'src/service/order.ts#priceOf',
        'src/store/store.ts#compact',
        'test/order.test.ts#finds orders',
      ]);
      const order = answer.affected.find(({ symbol }) => symbol.id === ORDER);
      assert.equal(order?.via[0]?.snippet, 'line 4 of src/service/order.ts');
      assert.deepEqual(
        (answer['affected_tests'] as { id: string }[]).map(({ id }) => id),
        ['test/order.test.ts#finds orders'],
      );
      assert.deepEqual(answer['affected_modules'], [
        'src/api/server.ts',
        'src/service/order.ts',
        'src/store/store.ts',
        'test/order.test.ts',
      ]);
      assert.equal(answer['unresolved_count'], 1);
      assert.equal(answer['risk_level'], 'medium');

      const module = { target: { type: 'module', path: 'src/store/store.ts' } };
      const text = await shop.textOf('graph_impact_analysis', module);
      assert.match(text, /^- 1 call of get could not be resolved and may use it\.$/m);
      assert.doesNotMatch(text, /\\b/);

      const base = await ask('graph_impact_analysis', { target: { type: 'type', name: 'Store' } });
      assert.deepEqual(
        (base['overriding_methods'] as { id: string }[]).map(({ id }) => id),
        [GET],
      );
      assert.ok(
        (base['reasons'] as string[]).includes(
          '1 overriding method must change with it: what calls that one alone is not counted here.',
        ),
      );
      const nothing = await ask('graph_impact_analysis', { target: { type: 'function', name: 'compact' } });
      assert.equal(nothing['risk_level'], 'low');
      assert.deepEqual(nothing.affected, []);
    });

    it('show decisions about the code to those who may read them', async () => {
      const decision = {
        workspace_id: shop.workspace_id,
        node_type: 'decision',
        title: 'Orders are priced late',
        content: 'Prices change until the order is found.',
        code_refs: [{ path: 'src/service/order.ts', symbol: 'findOrder' }],
      };
      const { id } = await shop.host.use<{ id: string }>('memory_create_node', decision);
      const request = { project_id: shop.project_id, target: { type: 'function', id: ORDER } };
      const decisionsOf = async (scopes: readonly string[]) => {
        const caller = { ...shop.host.call().caller, scopes };
        const answer = await shop.host.use<Answer>('graph_impact_analysis', request, { caller });
        return (answer['related_decisions'] as { id: string }[]).map((one) => one.id);
      };
      assert.deepEqual(await decisionsOf(['graph:read', 'memory:read']), [id]);
      assert.deepEqual(await decisionsOf(['graph:read']), []);
    });

    it('find call paths both ways, or say how far the search came', async () => {
      const from = { type: 'function', name: 'handle' };
      const to = { type: 'function', id: GET };
      const { paths, shortest_path_length } = await ask('graph_call_paths', { from, to });
      const [path] = paths as Array<{
        hops: Array<{ symbol: { id: string }; call_site?: object }>;
        confidence: number;
      }>;
      assert.deepEqual(
        path?.hops.map(({ symbol }) => symbol.id),
        ['src/api/server.ts#handle', ORDER, GET],
      );
      assert.deepEqual(path?.hops[2]?.call_site, {
        path: 'src/service/order.ts',
        line: 4,
        snippet: 'line 4 of src/service/order.ts',
        confidence: 0.8,
      });
      assert.deepEqual([shortest_path_length, path?.confidence], [2, 0.8]);
      const back = await ask('graph_call_paths', { from: to, to: from, direction: 'callers' });
      assert.equal(back['shortest_path_length'], 2);
      const none = await ask('graph_call_paths', { from: to, to: from });
      assert.deepEqual([none['paths'], none['shortest_path_length'], none['truncated']], [[], null, false]);
      assert.deepEqual((none['furthest'] as { depth: number }).depth, 0);
      assert.match(
        await shop.textOf('graph_call_paths', { from: to, to: from }),
        /calls nothing in the project outside itself/,
      );
      const type = { type: 'type', id: 'src/store/store.ts#Store' };
      assert.match(
        await shop.textOf('graph_call_paths', { from: type, to: from }),
        /^src\/store\/store\.ts#Store calls nothing in the project outside itself\.$/m,
      );
      const ends = await ask('graph_call_paths', { from: to, direction: 'callers' });
      const last = (ends['paths'] as Array<{ hops: Item[] }>).map(({ hops }) => hops.at(-1)?.symbol.id);
      assert.deepEqual(
        new Set(last),
        new Set(['src/api/server.ts#get', 'src/store/store.ts#compact', 'test/order.test.ts#finds orders']),
      );
    });

    it('follow calls into recursion, and say where they go on', async () => {
      const file = new GraphFile('src/math.ts');
      const [main, fact, even, odd] = ['main', 'fact', 'even', 'odd'].map((name) => file.add(name)) as [
        number,
        number,
        number,
        number,
      ];
      for (const [source, target] of [
        [main, fact],
        [fact, fact],
        [main, even],
        [even, odd],
        [odd, even],
      ] as const)
        file.edge(source, file.id(target));
      const request = {
        project_id: await shop.newProject([file.graph]),
        from: { type: 'function', name: 'main' },
      };
      const all = await ask('graph_call_paths', request);
      const chains = (all['paths'] as Array<{ hops: Item[] }>).map(({ hops }) => ids(hops).join(' '));
      assert.deepEqual(chains, [
        'src/math.ts#main src/math.ts#fact',
        'src/math.ts#main src/math.ts#even src/math.ts#odd',
      ]);
      assert.equal(all['truncated'], false);
      const cut = await ask('graph_call_paths', { ...request, max_depth: 1 });
      assert.deepEqual([(cut['paths'] as unknown[]).length, cut['truncated']], [2, true]);
      assert.match(
        await shop.textOf('graph_call_paths', { ...request, max_depth: 1 }),
        /Calls go on after 1 call: max_depth above 1 follows them\.$/,
      );
      assert.match(
        await shop.textOf('graph_call_paths', { ...request, max_paths: 1 }),
        /There may be more paths: max_paths above 1\.$/,
      );
    });
  });
});
