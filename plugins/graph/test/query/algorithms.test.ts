import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  ProjectGraph,
  cyclesOf,
  cyclesThrough,
  dependenciesOf,
  impactOf,
  kindMask,
  pathsBetween,
  pathsToEnds,
  reach,
  totalsOf,
  type FileGraph,
} from '@service-mcp/plugin-graph/internals';
import { GraphFile, anyFiles } from '../support/graph-files.js';
import { naiveDistances, naiveEdges, naivePaths, reversed, type NaiveEdge } from './naive-graph.js';

const KINDS = ['imports', 'calls', 'references', 'extends', 'implements'] as const;
const anyKinds = fc.subarray([...KINDS], { minLength: 1 });
const anyConfidence = fc.constantFrom(0, 0.5, 0.8);
const anyDirection = fc.constantFrom('in', 'out');

function filtered(files: readonly FileGraph[], kinds: readonly string[], minConfidence: number): NaiveEdge[] {
  return naiveEdges(files).filter(
    ({ kind, confidence }) => kinds.includes(kind) && confidence >= minConfidence,
  );
}

function filterOf(kinds: ReadonlyArray<(typeof KINDS)[number]>, minConfidence: number) {
  return { kinds: kindMask(kinds), minConfidence: minConfidence * 100 };
}

describe('queries over random graphs', () => {
  it('reach what repeated steps reach, at the same distances', () => {
    fc.assert(
      fc.property(
        anyFiles,
        anyKinds,
        anyConfidence,
        anyDirection,
        fc.nat(8),
        fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
        (files, kinds, least, direction, maxDepth, seeds) => {
          const graph = ProjectGraph.from(files);
          const roots = seeds.map((seed) => seed % graph.size);
          const edges = filtered(files, kinds, least);
          const { nodes, depths, levels } = reach(graph, roots, direction, filterOf(kinds, least), maxDepth);
          const found = Array.from(nodes, (node): [string, number] => [
            graph.id(node),
            (depths[node] ?? 0) - 1,
          ]);
          const expected = naiveDistances(
            direction === 'out' ? edges : reversed(edges),
            roots.map((root) => graph.id(root)),
            maxDepth,
          );
          assert.deepEqual(new Map(found), expected);
          assert.equal(found.length, expected.size);
          const totals = totalsOf(graph, { nodes, depths, levels });
          const depthsOf = [...expected.values()].filter((depth) => depth > 0);
          assert.equal(totals.total, depthsOf.length);
          assert.equal(sum(totals.byArea.values()), depthsOf.length);
          for (const [depth, count] of totals.byDepth)
            assert.equal(count, depthsOf.filter((other) => other === depth).length);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('find all simple call paths, the shortest and most certain first, and say when there are more', () => {
    fc.assert(
      fc.property(
        anyFiles,
        anyDirection,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 10 }),
        fc.nat(),
        fc.nat(),
        (files, direction, maxDepth, maxPaths, a, b) => {
          const graph = ProjectGraph.from(files);
          const from = graph.contents(a % graph.size);
          const to = graph.contents(b % graph.size);
          const edges = filtered(files, ['calls'], 0);
          const ids = (nodes: readonly number[]) => nodes.map((node) => graph.id(node));
          const filter = filterOf(['calls'], 0);
          const answer = pathsBetween(graph, from, to, direction, filter, { maxDepth, maxPaths });
          const all = naivePaths(direction === 'out' ? edges : reversed(edges), ids(from), ids(to), maxDepth);
          const found = answer.paths.map(({ nodes }) => ids(nodes));
          const known = new Set(all.map((path) => path.join(' ')));
          assert.ok(found.every((path) => known.has(path.join(' '))));
          assert.equal(new Set(found.map((path) => path.join(' '))).size, found.length);
          const lengths = all.map((path) => path.length).sort((x, y) => x - y);
          assert.deepEqual(
            found.map((path) => path.length),
            lengths.slice(0, maxPaths),
          );
          assert.equal(answer.truncated, all.length > maxPaths);
          for (const [i, path] of answer.paths.entries()) {
            const next = answer.paths[i + 1];
            if (next?.edges.length === path.edges.length) assert.ok(path.confidence >= next.confidence);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('find a shortest way to every end of the calls, also to recursion, and say where they go on', () => {
    fc.assert(
      fc.property(
        anyFiles,
        anyDirection,
        fc.constantFrom(1, 2, 50),
        fc.nat(),
        (files, direction, maxDepth, a) => {
          const graph = ProjectGraph.from(files);
          const edges = filtered(files, ['calls'], 0);
          const along = direction === 'out' ? edges : reversed(edges);
          const start = graph.id(a % graph.size);
          const limits = { maxDepth, maxPaths: 100 };
          const answer = pathsToEnds(graph, [a % graph.size], direction, filterOf(['calls'], 0), limits);
          const distances = naiveDistances(along, [start], maxDepth);
          const reachedFrom = (id: string) => new Set(naiveDistances(along, [id], 50).keys());
          const nextTo = (id: string) =>
            along.flatMap(({ source, target }) => (source === id ? [target] : []));
          const isCut = (id: string) => nextTo(id).some((next) => !distances.has(next));
          const isEnd = (id: string, depth: number) =>
            nextTo(id).every((next) => (distances.get(next) ?? Infinity) <= depth) &&
            [...reachedFrom(id)].every((other) => reachedFrom(other).has(id));
          const last = [...distances].filter(([id, depth]) => depth > 0 && (isCut(id) || isEnd(id, depth)));
          const found = answer.paths.map(({ nodes }): [string, number] => [
            graph.id(nodes.at(-1) ?? -1),
            nodes.length - 1,
          ]);
          assert.equal(found.length, last.length);
          assert.deepEqual(new Map(found), new Map(last));
          assert.equal(answer.truncated, [...distances.keys()].some(isCut));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('find the cycles that closures show', () => {
    fc.assert(
      fc.property(anyFiles, (files) => {
        const graph = ProjectGraph.from(files);
        const calls = filtered(files, ['calls'], 0.5);
        const cycles = cyclesOf(graph).filter(({ level }) => level === 'function');
        const inCycle = new Set(cycles.flatMap(({ members }) => members.map((node) => graph.id(node))));
        for (let node = 0; node < graph.size; node++) {
          const id = graph.id(node);
          const others = calls.filter(({ source, target }) => source === id && target !== id);
          const returns = others.some(({ target }) => naiveDistances(calls, [target], 50).has(id));
          assert.equal(inCycle.has(id), returns, id);
          if (graph.isModule(node)) continue;
          for (const [first, ...rest] of cyclesThrough(graph, node)) {
            const way = [first ?? -1, ...rest, first ?? -1].map((member) => graph.id(member));
            for (const [i, source] of way.slice(0, -1).entries())
              assert.ok(calls.some((edge) => edge.source === source && edge.target === way[i + 1]));
          }
        }
        for (const { members, edges } of cycles) {
          assert.ok(members.length > 1 && edges.length > 1);
          const { sources, targets } = graph.rows;
          for (const [i, edge] of edges.entries())
            assert.equal(targets[edge], sources[edges[(i + 1) % edges.length] ?? -1]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('answer within their limits, with true totals', () => {
    fc.assert(
      fc.property(
        anyFiles,
        fc.nat(),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        (files, a, limit, contains) => {
          const graph = ProjectGraph.from(files);
          const target = a % graph.size;
          const kinds = contains ? ([...KINDS, 'contains'] as const) : undefined;
          const request = { direction: 'both', maxDepth: 20, minConfidence: 0, limit, kinds } as const;
          const { dependencies, dependents, totals, truncated } = dependenciesOf(graph, target, request);
          assert.equal(dependencies.length, Math.min(limit, totals.out?.total ?? 0));
          assert.equal(dependents.length, Math.min(limit, totals.in?.total ?? 0));
          assert.equal(truncated, Math.max(totals.out?.total ?? 0, totals.in?.total ?? 0) > limit);
          const impact = impactOf(graph, target, 20, limit);
          assert.equal(impact.affected.length, Math.min(limit, impact.totals.total));
          for (const { steps, confidence, depth } of [...dependencies, ...dependents, ...impact.affected])
            assert.ok(steps.length > 0 && confidence > 0 && confidence <= 1 && depth > 0);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('queries over large graphs', () => {
  it('search once for the cycles through a file that names another a hundred thousand times', () => {
    const ring = Array.from({ length: 6000 }, (_, i) => new GraphFile(`f${i}.ts`));
    for (const [i, file] of ring.entries()) file.edge(0, ring[(i + 1) % ring.length]?.path ?? '');
    const [first, second] = ring as [GraphFile, GraphFile];
    const named = Array.from({ length: 400 }, (_, i) => second.id(second.add(`b${i}`)));
    for (let i = 0; i < 400; i++) {
      const source = first.add(`a${i}`);
      for (const target of named) first.edge(source, target);
    }
    const graph = ProjectGraph.from(ring.map((file) => file.graph));
    const cycles = cyclesThrough(graph, graph.node(first.path) ?? -1);
    assert.deepEqual(
      cycles.map((cycle) => cycle.length),
      [ring.length],
    );
  });

  it('take the files of a package of Go for one module', () => {
    const cyclesIn = (paths: readonly string[], language: string) => {
      const files = paths.map((path) => new GraphFile(path));
      const ids = files.map((file) => file.id(file.add('f')));
      for (const [i, file] of files.entries()) file.edge(1, ids[1 - i] ?? '');
      const graph = ProjectGraph.from(files.map((file) => ({ ...file.graph, language })));
      return cyclesOf(graph).map(({ level }) => level);
    };
    assert.deepEqual(cyclesIn(['a/one.go', 'a/two.go'], 'go'), ['function']);
    assert.deepEqual(cyclesIn(['a/one.go', 'b/two.go'], 'go'), ['module', 'function']);
    assert.deepEqual(cyclesIn(['a/one.ts', 'a/two.ts'], 'typescript'), ['module', 'function']);
  });

  it('begin no further search for cycles after so many edges', () => {
    const cyclesOfRing = (size: number) => {
      const file = new GraphFile('a.ts');
      const type = file.add('K', { kind: 'class' });
      const ring = Array.from({ length: size }, (_, i) => file.add(`m${i}`, { parent: i < 150 ? type : 0 }));
      for (const [i, method] of ring.entries()) file.edge(method, file.id(ring[(i + 1) % size] ?? -1));
      const pair = ['a', 'b'].map((name) => file.add(name, { kind: 'method', parent: type }));
      for (const [i, method] of pair.entries()) file.edge(method, file.id(pair[1 - i] ?? -1));
      const graph = ProjectGraph.from([file.graph]);
      return cyclesThrough(graph, graph.node('a.ts#K') ?? -1).map(({ length }) => length);
    };
    assert.deepEqual([cyclesOfRing(150), cyclesOfRing(4000)], [[2, 150], [4000]]);
  });

  it('take in more symbols of a file, and more edges to one, than a call takes arguments', () => {
    const SIZE = 130_000;
    const file = new GraphFile('a.ts');
    const other = new GraphFile('b.ts');
    const target = other.id(other.add('target'));
    for (let i = 0; i < SIZE; i++) file.edge(file.add(`f${i}`), target);
    const graph = ProjectGraph.from([file.graph, other.graph]);
    const request = { direction: 'out', maxDepth: 1, minConfidence: 0, limit: 1, kinds: undefined } as const;
    const { dependencies } = dependenciesOf(graph, 0, request);
    assert.deepEqual(
      dependencies.map(({ node, steps }) => [graph.id(node), steps.length]),
      [[target, SIZE]],
    );
  });

  it('look at the members of a subtype once for all methods that they may override', () => {
    const file = new GraphFile('a.ts');
    const base = file.add('Base', { kind: 'class' });
    const derived = file.add('Derived', { kind: 'class' });
    file.edge(derived, file.id(base), { kind: 'extends' });
    for (let i = 0; i < 500; i++)
      for (const parent of [base, derived]) file.add(`m${i}`, { kind: 'method', parent });
    const graph = ProjectGraph.from([file.graph]);
    let looks = 0;
    const children = graph.children.bind(graph);
    graph.children = (node) => {
      if (graph.id(node) === file.id(derived)) looks++;
      return children(node);
    };
    const { overriders } = impactOf(graph, graph.node(file.id(base)) ?? -1, 1, 1);
    assert.deepEqual([overriders.length, looks], [500, 1]);
  });

  it('search a million steps for overriders below the types of a file, and say when there may be more', () => {
    const impactOfLayers = (width: number) => {
      const file = new GraphFile('a.ts');
      const other = new GraphFile('b.ts');
      let above: string[] = [];
      for (let layer = 0; layer < 20; layer++) {
        const types = Array.from({ length: width }, (_, i) => file.add(`T${layer}_${i}`, { kind: 'class' }));
        for (const type of types) {
          file.add('run', { kind: 'method', parent: type });
          for (const id of above) file.edge(type, id, { kind: 'extends' });
        }
        above = types.map((type) => file.id(type));
      }
      const last = other.add('Last', { kind: 'class' });
      other.add('run', { kind: 'method', parent: last });
      other.edge(last, above[0] ?? '', { kind: 'extends' });
      const graph = ProjectGraph.from([file.graph, other.graph]);
      const { overriders, truncated } = impactOf(graph, 0, 1, 10_000);
      return { found: overriders.map((node) => graph.id(node)), truncated };
    };
    assert.deepEqual(impactOfLayers(3), { found: ['b.ts#Last.run'], truncated: false });
    assert.equal(impactOfLayers(40).truncated, true);
  });
});

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}
