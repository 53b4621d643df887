import assert from 'node:assert/strict';
import { resolveProject } from '@service-mcp/plugin-graph/internals';
import { TOO_MANY_STEPS } from './support/complex-code.js';
import { edges } from './support/edges.js';
import { sourceFile } from './support/source-file.js';

describe('limits of resolving', () => {
  it('ends on classes that inherit from themselves and types without end', async () => {
    const file = await sourceFile(
      'a.ts',
      `class A extends B { run() { super.run(); } }
class B extends A {}
class Grow<T> { next(): Grow<Grow<T>> { return this.next().next().next(); } }
type Loop = Loop | { inner: Loop };
function f(x: Loop) { return x.inner.inner; }
new Grow<A>().next().next().next().run();`,
    );
    assert.ok(edges([file]).includes('A extends B scope'));
  });

  it('trusts each of many methods less where types are not written', async () => {
    const confidences = async (names: readonly string[]): Promise<number[]> => {
      const classes = names.map((name) => `class ${name}:\n    def run(self): pass\n`);
      const calls = names.map((name) => `start(${name}())\n`);
      const text = [...classes, 'def start(task):\n    task.run()\n', ...calls].join('');
      const graphs = resolveProject([await sourceFile('a.py', text)], []);
      const edges = graphs.flatMap((graph) => graph.edges.filter(({ target }) => target.endsWith('.run')));
      return edges.map(({ confidence }) => confidence);
    };
    assert.deepEqual(await confidences(['A', 'B', 'C']), [0.95, 0.95, 0.95]);
    assert.deepEqual(await confidences(['A', 'B', 'C', 'D']), [0.7, 0.7, 0.7, 0.7]);
  });

  it('knows no call on more values than it takes in, whenever they come', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `f${index}`);
    const lines = names.map((name, index) => `${index < 20 ? 'any' : 'late'} = ${name};`);
    const classes = names.map(
      (name, index) => `class C${name} { run() {} }\n${index < 20 ? 'one' : 'other'} = new C${name}();`,
    );
    const text = [
      ...names.map((name) => `function ${name}() {}`),
      'let any, late, one, other;',
      ...lines,
      ...classes,
      'any = late;\none = other;\nfunction call() { any(); one.run(); }',
    ].join('\n');
    const [graph] = resolveProject([await sourceFile('a.js', text)], []);
    const calls = graph?.edges.filter(
      ({ kind, source }) => kind === 'calls' && graph.symbols[source]?.name === 'call',
    );
    assert.deepEqual(calls, []);
    assert.deepEqual(
      graph?.unresolved.map(({ name }) => name),
      ['any', 'run'],
    );
  });

  it('counts calls of functions as unresolved where others of the same place were too many, however they came', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `f${index}`);
    const text = [
      ...names.map((name) => `function ${name}() {}`),
      'let any, late, other, last;',
      'const handlers = [];',
      'function register(handler) { handlers.push(handler); }',
      'const api = { register };',
      ...names.map((name, index) => `${index < 20 ? 'any' : 'late'} = ${name};`),
      ...names.map((name, index) => `${index < 20 ? '' : 'api.'}register(${name});`),
      'any = late;\nother = any;\nlast = other;',
      'function call(passed) { other(); last(); passed(); for (const handler of handlers) handler(); f1(); }',
      'call(any);',
    ].join('\n');
    const [graph] = resolveProject([await sourceFile('a.js', text)], []);
    const unresolved = graph?.unresolved.map(({ name }) => name);
    assert.deepEqual(unresolved, ['handler', 'last', 'other', 'passed']);
  });

  it('leaves calls open that choose among too many functions, names the file, and resolves the others', async () => {
    const names = Array.from({ length: 400 }, (_, index) => index);
    const others = (of: string): string => `, ${of}`.repeat(15);
    const hostile = [
      ...names.map((index) => `struct S${index} {}; void f(S${index} s${others('int')}) {}`),
      ...names.map((index) => `void g${index}(S${index} s) { f(s${others('1')}); }`),
    ];
    const files = [
      await sourceFile('hostile.cpp', hostile.join('\n')),
      await sourceFile('good.cpp', 'void helper() {}\nvoid use() { helper(); }\n'),
    ];
    const [good, bad] = resolveProject(files, []);
    assert.ok(good && bad);
    const calls = bad.edges.filter(({ kind }) => kind === 'calls').length;
    assert.ok(calls > 0 && calls < names.length, String(calls));
    assert.equal(calls + bad.unresolved.length, names.length);
    assert.equal(bad.complete, false);
    assert.match(bad.note ?? '', /^The file is too complex: /);
    assert.deepEqual([good.complete, good.note], [true, undefined]);
    assert.deepEqual(
      good.edges.map(({ target }) => target),
      ['good.cpp#helper'],
    );
  });

  it('looks for the types of so many interfaces, names the file that has more, and finds those of others', async () => {
    const names = Array.from({ length: 500 }, (_, index) => index);
    const hostile = [
      'package a',
      ...names.map((index) => `type I${index} interface { M() }`),
      ...names.map((index) => `type T${index} struct {}\nfunc (t T${index}) M() {}`),
    ];
    const files = [
      await sourceFile(
        'b/good.go',
        'package b\ntype I interface { N() }\ntype T struct {}\nfunc (t T) N() {}\n',
      ),
      await sourceFile('a/hostile.go', hostile.join('\n')),
    ];
    const graphs = resolveProject(files, []);
    const [bad, good] = graphs;
    assert.ok(bad && good);
    const edges = bad.edges.filter(({ kind }) => kind === 'implements').length;
    assert.equal(edges, 200_000);
    assert.match(bad.note ?? '', /^The file is too complex: /);
    assert.deepEqual([good.complete, good.note], [true, undefined]);
    assert.deepEqual(
      good.edges.flatMap(({ kind, target }) => (kind === 'implements' ? target : [])),
      ['b/good.go#I'],
    );
    assert.deepEqual(resolveProject(files.toReversed(), []), graphs);
  });

  it('compares types that name themselves, and those with many bounds that name each other', async () => {
    const bounds = Array.from({ length: 40 }, (_, index) => index);
    const all = (of: string, by: string): string => bounds.map((index) => `A${index}<${of}>`).join(by);
    for (const [path, code] of [
      ['a.cpp', 'typedef struct node *node;\nvoid f(node a) {}\nvoid f(int a) {}\nvoid g(node a) { f(a); }'],
      ['b.cpp', 'using A = std::vector<A>;\nvoid f(A a) {}\nvoid f(int a) {}\nvoid g(A a) { f(a); }'],
      [
        'C.java',
        `${bounds.map((index) => `interface A${index}<T> {}`).join('\n')}
class Point implements ${all('Point', ', ')} {}
class C {
  <T extends ${all('T', ' & ')}> T f(T a) { return a; }
  <T extends ${all('T', ' & ')}> T f(T a, T b) { return a; }
  <T extends ${all('T', ' & ')}> T f(T[] a) { return a[0]; }
  void g(Point p) { f(p); }
}`,
      ],
      [
        'D.java',
        `class D {
  <T extends Number> T f(T a) { return a; }
  String f(String a) { return a; }
  <${Array.from({ length: 5000 }, (_, index) => `T${index} extends T${index + 1}`).join(', ')}, T5000> void g(T0 a) { f(a); }
}`,
      ],
    ] as const) {
      const [graph] = resolveProject([await sourceFile(path, code)], []);
      assert.equal(graph?.note, undefined, path);
      const called = graph?.edges.filter(({ kind }) => kind === 'calls').map(({ target }) => target);
      assert.deepEqual(
        called?.map((target) => /#(?:[CD]\.)?f\b/u.test(target)),
        [true],
        `${path}: ${called?.join()}`,
      );
    }
  });

  it('leaves out the code that takes too many steps, names its files, and resolves the others', async () => {
    const good = [
      await sourceFile(
        'good.js',
        "import './bad.js';\nfunction helper() {}\nfunction use() { helper(); other(); }\n",
      ),
      await sourceFile('one.js', 'export function one() { return two(); }\nfunction two() {}\n'),
    ];
    const bad = [await sourceFile('bad.js', TOO_MANY_STEPS), await sourceFile('worse.js', TOO_MANY_STEPS)];
    const graphs = resolveProject([...bad, ...good], []);
    assert.deepEqual(
      graphs.map(({ path, complete, symbols }) => [path, complete, symbols.length]),
      [
        ['bad.js', false, 43],
        ['good.js', true, 3],
        ['one.js', true, 3],
        ['worse.js', false, 43],
      ],
    );
    for (const { path, note = '', edges: found, unresolved } of graphs) {
      if (!/bad|worse/.test(path)) continue;
      assert.match(note, /^The file is too complex: /);
      assert.deepEqual([found, unresolved], [[], []]);
    }
    assert.deepEqual(resolveProject([...good, ...bad.toReversed()], []), graphs);
    const without = resolveProject([...good, await sourceFile('bad.js', '')], []);
    assert.deepEqual(
      without.filter(({ path }) => path !== 'bad.js'),
      graphs.filter(({ note }) => note === undefined),
    );
  });
});
