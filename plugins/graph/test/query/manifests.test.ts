import assert from 'node:assert/strict';
import {
  findDecorated,
  findPackageEntries,
  functionsOfPackage,
  ProjectGraph,
  readSnippets,
  withVersions,
} from '@service-mcp/plugin-graph/internals';
import { GraphFile } from '../support/graph-files.js';

const SCRIPTS = '[project.scripts]\n';
const versionsIn = (manifest: string, text: string, ...modules: string[]) =>
  withVersions(modules, 'src/a', async () => new Map([[manifest, text]]));

describe('manifests of a project', () => {
  it('name the functions of commands, with comments and either line end', () => {
    for (const end of ['\n', '\r\n'])
      assert.deepEqual(
        functionsOfPackage(
          'pyproject.toml',
          `${SCRIPTS}a = "shop.cli:run" # x${end}b = shop.other ; y${end}`,
        ),
        [
          { module: 'shop.cli', name: 'run' },
          { module: 'shop.other', name: undefined },
        ],
      );
  });

  it('state versions of modules', async () => {
    const text =
      'module example.org/shop\nrequire golang.org/x/text v0.3.0\n\tgopkg.in/yaml.v3 v3.0.1 // indirect\n';
    assert.deepEqual(await versionsIn('go.mod', text, 'golang.org/x/text/language', 'gopkg.in/yaml.v3'), [
      { name: 'golang.org/x/text/language', version: 'v0.3.0' },
      { name: 'gopkg.in/yaml.v3', version: 'v3.0.1' },
    ]);
  });

  it('state the version of a package for the longest of its modules', async () => {
    const text = 'require golang.org/x/text v0.3.0\n';
    const deep = `golang.org/x/text/${'a/'.repeat(100_000)}`;
    assert.deepEqual(await versionsIn('go.mod', text, deep), [{ name: deep, version: 'v0.3.0' }]);
  });

  // Queries read them in the event loop of the service.
  it('are read in a time that grows with their length alone', async () => {
    const startedAt = performance.now();
    await versionsIn('go.mod', `${'./'.repeat(490)}\n`.repeat(1000), 'example.org/x');
    functionsOfPackage('pyproject.toml', `${SCRIPTS}${'=A#'.repeat(100_000)}\r\n`);
    functionsOfPackage('pyproject.toml', `${SCRIPTS}${'=A '.repeat(100_000)}!\n`);
    assert.ok(performance.now() - startedAt < 3000);
  });
});

describe('texts of files', () => {
  const MAX_READ = 20;
  const SIZE = 600;
  const paths = Array.from({ length: SIZE }, (_, i) => `d${i}/f${i}.ts`);
  const text = `${'\n'.repeat(8)}  @route()\n\n  f${'x'.repeat(200)}()\r\nend`;
  let reads: number[] = [];
  beforeEach(() => (reads = []));
  const read = async (wanted: readonly string[]) => {
    reads.push(wanted.length);
    return new Map(wanted.filter((path) => paths.includes(path)).map((path) => [path, text]));
  };

  it('are read some at a time for decorators, all of them', async () => {
    const files = paths.map((path) => {
      const file = new GraphFile(path);
      for (const name of ['a', 'b', 'c', 'd']) file.add(name); // at lines 3, 6, 9 and 12
      return file.graph;
    });
    const graph = ProjectGraph.from(files);
    const nodes = Array.from({ length: graph.size }, (_, node) => node).filter(
      (node) => !graph.isModule(node),
    );
    const found = await findDecorated(graph, nodes, read);
    const counts = new Map<string, number>();
    for (const node of found)
      counts.set(graph.symbol(node).name, (counts.get(graph.symbol(node).name) ?? 0) + 1);
    assert.deepEqual(counts, new Map(['a', 'b', 'c'].map((name) => [name, SIZE])));
    assert.deepEqual([Math.max(...reads), reads.length], [MAX_READ, SIZE / MAX_READ]);
  });

  it('are read some at a time for lines, all of them', async () => {
    const places = paths.flatMap((path) => [12, 11, 1, 9, 13].map((line) => ({ path, line })));
    const snippetOf = await readSnippets(read, [...places, { path: 'gone.ts', line: 1 }]);
    for (const path of paths)
      assert.deepEqual(
        [1, 9, 11, 12, 13].map((line) => snippetOf({ path, line })),
        ['', '@route()', `f${'x'.repeat(158)}…`, 'end', ''],
      );
    assert.equal(snippetOf({ path: 'gone.ts', line: 1 }), '');
    assert.equal(Math.max(...reads), MAX_READ);
  });

  it('are read for entries of packages where there is a manifest', async () => {
    const manifest = `d${SIZE}/package.json`;
    const all = [...paths, `d${SIZE}/a.ts`, manifest].map((path) => new GraphFile(path).graph);
    const graph = ProjectGraph.from(all);
    const asked: string[] = [];
    const entries = await findPackageEntries(graph, async (wanted) => {
      asked.push(...wanted);
      return new Map([[manifest, '{"main":"a.js"}']]);
    });
    assert.deepEqual(asked, [manifest]);
    assert.deepEqual(
      Array.from(entries.parts, (part) => graph.parts[part]?.path),
      [`d${SIZE}/a.ts`],
    );
  });

  it('of manifests that nest deep and name long paths offer the rest', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const text = `{"exports":${deep},"main":"${'a/'.repeat(300_000)}b.js","types":"./a.d.ts"}`;
    const graph = ProjectGraph.from(['a.ts', 'package.json'].map((path) => new GraphFile(path).graph));
    const entries = await findPackageEntries(graph, async () => new Map([['package.json', text]]));
    assert.deepEqual([...entries.parts], [0]);
  });

  const entriesOf = async (sources: readonly string[], manifests: Readonly<Record<string, unknown>>) => {
    const graph = ProjectGraph.from(
      [...sources, ...Object.keys(manifests)].map((path) => new GraphFile(path).graph),
    );
    const texts = new Map(Object.entries(manifests).map(([path, value]) => [path, JSON.stringify(value)]));
    const { parts } = await findPackageEntries(graph, async () => texts);
    return graph.parts.flatMap(({ path }, part) => (parts.has(part) ? [path] : []));
  };
  const numbered = (size: number, name: string) => Array.from({ length: size }, (_, i) => `${name}${i}`);

  it('of manifests may name thousands of files', async () => {
    const sources = numbered(1100, 'src/f').map((path) => `${path}.ts`);
    const exports = numbered(1100, './dist/f').map((path) => ({
      types: `${path}.d.ts`,
      default: `${path}.js`,
    }));
    assert.deepEqual(await entriesOf(sources, { 'package.json': { exports } }), sources.sort());
  });

  it('of manifests name with a pattern all paths that begin and end as it does', async () => {
    const sources = numbered(300, 'k/f').map((path) => `${path}.ts`);
    const others = ['k.ts', 'k/e299.ts', 'k/f/39.ts', 'k/g299.ts', 'kk/f299.ts'];
    const manifests = { 'package.json': { exports: './k/f2*9.js' } };
    const expected = sources.filter((path) => /f2.*9\.ts$/.test(path));
    assert.deepEqual(await entriesOf([...sources, ...others], manifests), expected.sort());
  });

  it('of manifests compare their patterns with paths a million times, and name plain files all the same', async () => {
    const sources = numbered(3000, 'f').map((path) => `${path}.ts`);
    const manifests = {
      'package.json': { exports: numbered(400, './*x') },
      'p/package.json': { exports: ['./la*.js', './plain.js'] },
    };
    assert.deepEqual(await entriesOf([...sources, 'p/last.ts', 'p/plain.ts'], manifests), ['p/plain.ts']);
  });
});
