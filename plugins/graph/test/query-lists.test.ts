import assert from 'node:assert/strict';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import { GraphFile } from './support/graph-files.js';
import { GET, ORDER, startShop, type Shop } from './support/start-shop.js';

interface Answer {
  readonly items: ReadonlyArray<{ readonly id: string; readonly reason: string }>;
  readonly [field: string]: unknown;
}

eachDatabase((fresh) => {
  describe('lists, the map, and targets of graph tools', () => {
    let shop: Shop;
    before(async () => {
      shop = await startShop(await fresh());
    });
    after(() => shop.host.stop());
    const ask = (tool: string, args: object = {}) => shop.ask<Answer>(tool, args);

    it('list symbols, cycles and unused code in pages', async () => {
      const symbols = await ask('graph_symbols', { query: 'get' });
      assert.deepEqual(
        symbols.items.map(({ id }) => id),
        ['src/api/server.ts#get', 'src/store/store.ts#Store.get', GET],
      );
      const page = await ask('graph_symbols', { path: 'src/store', kind: 'method', per_page: 1, page: 2 });
      assert.deepEqual([page.items.length, page['total'], page['has_next']], [1, 2, false]);
      const cycles = await ask('graph_cycles');
      assert.deepEqual(
        [cycles['total'], (cycles.items as unknown as { level: string }[])[0]?.level],
        [1, 'function'],
      );
      const unused = await ask('graph_unused');
      assert.deepEqual(
        unused.items.map(({ id, reason }) => [id, reason]),
        [['src/store/store.ts#compact', 'No code of the project uses it.']],
      );
    });

    it('keep decorated code, overriding methods and names of unresolved calls out of the unused', async () => {
      const file = new GraphFile('src/app.ts');
      const plain = new GraphFile('src/plain.ts');
      file.edge(0, plain.path, { kind: 'imports', reason: 'import' });
      const route = plain.add('route');
      plain.edge(route, plain.id(plain.add('helperOfRoute')));
      const handler = plain.add('Handler extends Base', { kind: 'class', exported: true });
      plain.add('handle', { kind: 'method', parent: handler });
      const mystery = plain.add('mystery');
      plain.edge(mystery, plain.id(plain.add('helperOfMystery')));
      plain.unresolved.push({ source: 0, name: 'mystery', kind: 'calls', line: 1 });
      const box = plain.add('Box', { kind: 'class' });
      plain.add('open', { kind: 'method', parent: box });
      plain.edge(0, plain.id(box), { kind: 'references' });
      plain.externals.push({ source: 0, module: 'container', name: 'open', kind: 'calls', line: 1 });
      const loose = plain.add('loose');
      plain.edge(loose, plain.id(plain.add('helperOfLoose')));
      const project_id = await shop.newProject([file.graph, plain.graph]);
      const lines = Array.from({ length: 40 }, () => 'code');
      lines[(plain.symbols[route]?.startLine ?? 0) - 1] = '/** Answers. */';
      lines[plain.symbols[route]?.startLine ?? 0] = "@get('/')";
      const files = [{ path: plain.path, content: lines.join('\n') }];
      await shop.host.use('files_ingest', { project_id, files });
      const unused = await ask('graph_unused', { project_id });
      assert.deepEqual(
        unused.items.map(({ id, reason }) => [id, reason]),
        [
          ['src/plain.ts#loose', 'No code of the project uses it.'],
          ['src/plain.ts#helperOfLoose', 'Only unused code uses it: src/plain.ts#loose.'],
        ],
      );
      assert.equal(unused['uncertain'], 2);
    });

    it('keep tests and `Main` of C# out of the unused', async () => {
      const paths = [
        'blog/tests.py',
        'test.js',
        't/test_list.c',
        't/test-list.c',
        'src/ServerIT.java',
        'src/COMMIT.c',
      ];
      const tests = paths.map((path) => {
        const file = new GraphFile(path);
        file.add('check');
        return file.graph;
      });
      const program = new GraphFile('src/Program.cs');
      const parent = program.add('Program', { kind: 'class' });
      program.add('Main', { kind: 'method', parent });
      program.add('Run', { kind: 'method', parent });
      const symbols = program.symbols.map((each) =>
        each.kind === 'method' ? { ...each, signature: `private static void ${each.name}()` } : each,
      );
      const project_id = await shop.newProject([...tests, { ...program.graph, symbols, language: 'csharp' }]);
      const { items } = await ask('graph_unused', { project_id });
      assert.deepEqual(
        items.map(({ id }) => id),
        ['src/COMMIT.c#check', 'src/Program.cs#Program.Run'],
      );
    });

    it('say why files are only partly in the graph', async () => {
      const cut = (path: string, note?: string) => ({
        ...new GraphFile(path).graph,
        complete: false,
        ...(note !== undefined && { note }),
      });
      const project_id = await shop.newProject([cut('a.ts'), cut('b.ts', 'It is too large.')]);
      const other = await shop.newProject([cut('b.ts', 'It is too large.')]);
      const warningOf = async (of: string) =>
        ((await ask('graph_overview', { project_id: of }))['warnings'] as string[]).at(-1);
      assert.equal(
        await warningOf(project_id),
        'Some files are only partly in the graph: a.ts, b.ts (It is too large.). Where no reason is named, the syntax has errors or nests too deep.',
      );
      assert.equal(
        await warningOf(other),
        'Some files are only partly in the graph: b.ts (It is too large.).',
      );
    });

    it('draw the same map every time', async () => {
      const areas = await ask('graph_overview');
      assert.deepEqual(areas['totals'], { nodes: 1, edges: 0, files: 4, symbols: 10 });
      const modules = await ask('graph_overview', { level: 'module', path_prefix: 'src/' });
      const nodes = modules['nodes'] as Array<{ id: string; area: string; x: number; y: number }>;
      assert.deepEqual(
        nodes.map(({ area }) => area),
        ['.', '.', '.'],
      );
      assert.equal(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size, 3);
      assert.deepEqual(
        (await ask('graph_overview', { level: 'module', path_prefix: 'src/' }))['nodes'],
        nodes,
      );
      const edges = modules['edges'] as Array<{
        source: string;
        target: string;
        kind: string;
        count: number;
      }>;
      assert.deepEqual(edges[0], {
        source: 'src/service/order.ts',
        target: 'src/store/store.ts',
        kind: 'calls',
        count: 2,
      });
      const one = await ask('graph_overview', { level: 'module', limit: 1 });
      assert.deepEqual([(one['nodes'] as unknown[]).length, one['truncated']], [1, true]);
    });

    it('name the candidates of an ambiguous name, and the nearest of an unknown one', async () => {
      const request = (target: object) => ask('graph_dependencies', { target });
      const conflict = await rejects(
        request({ type: 'function', name: 'get' }),
        'CONFLICT',
        /3 symbols match get: src/,
      );
      const candidates = conflict.details?.['candidates'] as { id: string }[];
      assert.deepEqual(
        candidates.map(({ id }) => id).sort(),
        ['src/api/server.ts#get', GET, 'src/store/store.ts#Store.get'].sort(),
      );
      for (const target of [
        { type: 'function', name: 'MemoryStore.get' },
        { type: 'function', name: 'MemoryStore::get' },
        { type: 'function', name: 'get', path: './src/api/server.ts' },
        { type: 'module', name: 'order' },
        { type: 'module', path: 'service/order.ts' },
      ])
        await request(target);
      const missing = await rejects(
        request({ type: 'function', name: 'findOrdr' }),
        'NOT_FOUND',
        /index .* indexing.*findOrder.*graph_symbols/,
      );
      assert.equal((missing.details?.['suggestions'] as { id: string }[] | undefined)?.[0]?.id, ORDER);
      assert.equal(missing.details?.['argument'], 'target');
      // The nearest of those that the name is a part of.
      await rejects(
        request({ type: 'type', name: 'Stor' }),
        'NOT_FOUND',
        /Similar: src\/store\/store\.ts#Store, src/,
      );
      for (const folder of [{ path: 'src/service' }, { path: './src/service/' }, { name: 'src/service' }])
        await rejects(
          request({ type: 'module', ...folder }),
          'NOT_FOUND',
          /It is a folder of \d+ modules?, such as src\/service\/\S+\.ts.*graph_symbols/,
        );
      await rejects(
        request({ type: 'function', name: 'MemoryStore' }),
        'NOT_FOUND',
        /There is a type of that name: ask for \{"type":"type"\}.*Similar: src\/[^,]*#MemoryStore,/,
      );
      await rejects(request({ type: 'type', id: 'src/none.ts#None' }), 'NOT_FOUND');
      await rejects(request({ type: 'function' }), 'INVALID_ARGUMENT', /graph_symbols/);
      await rejects(request({ type: 'function', path: 'src/api/server.ts' }), 'INVALID_ARGUMENT');
      await rejects(request({ type: 'function', name: 'get', file: 'x' }), 'INVALID_ARGUMENT', /file/);
    });

    it('say that a project was never indexed, and hide those of others', async () => {
      const project_id = await shop.newProject([]);
      const symbols = await ask('graph_symbols', { project_id });
      assert.deepEqual([symbols['total'], (symbols['index'] as { state: string }).state], [0, 'not_indexed']);
      assert.match(await shop.textOf('graph_symbols', { project_id }), /has never had files/);
      for (const tool of ['graph_cycles', 'graph_unused', 'graph_overview'])
        assert.match(await shop.textOf(tool, { project_id }), /has never had files/);
      const target = { type: 'function', name: 'x' };
      await rejects(ask('graph_dependencies', { project_id, target }), 'NOT_FOUND', /not_indexed/);
      await rejects(ask('graph_symbols', { project_id: crypto.randomUUID() }), 'NOT_FOUND');
    });

    it('answer large graphs in short texts, with true totals and the next call', async () => {
      const file = new GraphFile('src/hub.ts');
      const hub = file.id(file.add('hub', { exported: true }));
      const users = Array.from({ length: 60 }, (_, i) => {
        const user = new GraphFile(`src/part${i % 7}/users-of-the-hub-${i}.ts`);
        for (let j = 0; j < 20; j++)
          user.edge(user.add(`functionThatUsesTheHub${j}`, { exported: true }), hub);
        user.externals.push({ source: 1, module: 'x'.repeat(5000), kind: 'calls', line: 1 });
        return user.graph;
      });
      const request = {
        // A long signature leaves the verdict in the text.
        project_id: await shop.newProject([
          { ...file.graph, symbols: file.symbols.map((each) => ({ ...each, signature: 'hub'.repeat(200) })) },
          ...users,
        ]),
        target: { type: 'function', id: hub },
      };
      const impact = await shop.textOf('graph_impact_analysis', { ...request, limit: 200 });
      assert.match(impact, /^function src\/hub\.ts#hub .*\nmodify_signature has \w+ risk:\n- 1200 direct/);
      assert.match(
        impact,
        /src\/part0 \(180\)\n {2}1 functionThatUsesTheHub0 src\/part0\S+:3, calls at line 4, scope, 1/,
      );
      assert.match(
        impact,
        /\d+ more lines are in the structured result.*More: limit above 200.*Next: graph_call_paths/s,
      );
      const texts = [
        impact,
        await shop.textOf('graph_dependencies', { ...request, limit: 500 }),
        await shop.textOf('graph_call_paths', {
          project_id: request.project_id,
          from: request.target,
          direction: 'callers',
          max_paths: 100,
        }),
        await shop.textOf('graph_symbols', { project_id: request.project_id, per_page: 100 }),
        await shop.textOf('graph_overview', { project_id: request.project_id, level: 'module' }),
        await shop.textOf('graph_unused', { project_id: request.project_id, per_page: 100 }),
      ];
      for (const text of texts) assert.ok(text.length <= 6500, text);
      const diagram = await shop.textOf('graph_dependencies', {
        project_id: request.project_id,
        target: { type: 'module', path: users[0]?.path },
        format: 'mermaid',
      });
      assert.match(diagram, /^flowchart LR\n[^]*\nOutside the project: x+…\n/);
      for (const line of diagram.split('\n')) assert.ok(line.length <= 300, line);
    });

    it('survive huge and hostile arguments', async () => {
      for (const name of [
        '('.repeat(512),
        '../../etc/passwd',
        '__proto__',
        'constructor',
        '~2',
        '.',
        '#',
        '💥'.repeat(100),
      ])
        await rejects(ask('graph_dependencies', { target: { type: 'function', name } }), 'NOT_FOUND');
      await rejects(
        ask('graph_dependencies', { target: { type: 'function', name: 'x'.repeat(513) } }),
        'INVALID_ARGUMENT',
      );
      await rejects(
        ask('graph_call_paths', { from: { type: 'function', id: ORDER }, max_depth: 31 }),
        'INVALID_ARGUMENT',
      );
      await rejects(ask('graph_overview', { limit: 5001 }), 'INVALID_ARGUMENT');
      const past = await ask('graph_symbols', { page: 1_000_000 });
      assert.deepEqual(past.items, []);
      const calls = Array.from({ length: 20 }, () => ask('graph_overview', { level: 'module' }));
      assert.equal(
        new Set((await Promise.all(calls)).map((answer) => JSON.stringify(answer['nodes']))).size,
        1,
      );
    });
  });
});
