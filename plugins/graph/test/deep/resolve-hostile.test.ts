import assert from 'node:assert/strict';
import type { code } from '@service-mcp/plugin-syntax/contract';
import { resolveProject, type FileGraph, type SourceFile } from '@service-mcp/plugin-graph/internals';
import { sourceFile } from '../support/source-file.js';

const at = { start: 0, line: 1 };

const name = (text: string): code.Expression => ({ ...at, kind: 'name', name: text });
const call = (callee: code.Expression, ...values: readonly code.Expression[]): code.Expression => ({
  ...at,
  kind: 'call',
  callee,
  arguments: values.map((value) => ({ value })),
});
const evaluate = (value: code.Expression): code.Statement => ({ kind: 'evaluate', value });

/** A JavaScript file with functions of these names and code after them. */
function program(path: string, functions: readonly string[], body: readonly code.Statement[]): SourceFile {
  return {
    path,
    language: 'javascript',
    complete: true,
    symbols: functions.map((each) => ({
      name: each,
      qualifiedName: each,
      kind: 'function',
      start: 0,
      end: 1,
      startLine: 1,
      endLine: 1,
      signature: '',
      parent: null,
    })),
    code: {
      definitions: functions.map(() => ({ exported: true, test: false })),
      body: [
        ...functions.map((each, symbol): code.Statement => ({
          kind: 'function',
          function: { ...at, name: each, symbol, parameters: [], body: [] },
        })),
        ...body,
      ],
    },
  };
}

function callsOf(graphs: readonly FileGraph[]): string[] {
  return graphs.flatMap(({ edges }) =>
    edges.filter((each) => each.kind === 'calls').map((each) => each.target),
  );
}

describe('resolve: hostile projects', () => {
  it('a variable with thousands of functions is unknown', () => {
    const functions = Array.from({ length: 10_000 }, (_, index) => `f${index}`);
    const file = program('a.js', functions, [
      ...functions.map((each): code.Statement => ({
        kind: 'assign',
        target: name('any'),
        value: name(each),
      })),
      evaluate(call(name('any'))),
    ]);
    const [graph] = resolveProject([file], []);
    assert.deepEqual(callsOf(graph ? [graph] : []), []);
    assert.deepEqual(graph?.unresolved, [{ source: 0, name: 'any', kind: 'calls', line: 1 }]);
  });

  it('manifests of near misses, in no time', () => {
    const startedAt = performance.now();
    const texts = [
      `[[${'\t'.repeat(2000)}x\n`.repeat(20),
      '\n'.repeat(200_000),
      ...['/*a', '"\\', '"a\\"', ', ', 'from={', 'where=[', "from='"].map((each) => each.repeat(200_000)),
    ];
    for (const [language, path, manifest] of [
      ['rust', 'src/lib.rs', 'Cargo.toml'],
      ['go', 'a.go', 'go.mod'],
      ['python', 'a.py', 'pyproject.toml'],
      ['typescript', 'a.ts', 'tsconfig.json'],
    ] as const)
      for (const text of texts)
        resolveProject([{ ...program(path, ['f'], []), language }], [{ path: manifest, text }]);
    assert.ok(performance.now() - startedAt < 5000);
  });

  it('calls nested a thousand times', () => {
    let nested = name('f');
    for (let depth = 0; depth < 1000; depth += 1) nested = call(name('f'), nested);
    const graphs = resolveProject([program('a.js', ['f'], [evaluate(nested)])], []);
    assert.deepEqual(callsOf(graphs), ['a.js#f']);
    assert.equal(graphs[0]?.complete, false);
    assert.match(graphs[0]?.note ?? '', /nested more than 400 levels/);
  });

  it('thousands of functions of one name', () => {
    const functions = Array.from({ length: 5000 }, () => 'f');
    const graphs = resolveProject([program('a.js', functions, [evaluate(call(name('f')))])], []);
    assert.equal(callsOf(graphs).length, 1);
  });

  it('a literal with thousands of members, each of them read', async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}`);
    const members = keys.map((key) => `  ${key}: ${key === 'k7' ? 'f' : 'g'},`).join('\n');
    const reads = keys.map((key) => `all.${key}();`).join('\n');
    const text = `function f() {}\nfunction g() {}\nconst all = {\n${members}\n};\n${reads}\n`;
    const calls = callsOf(resolveProject([await sourceFile('a.js', text)], []));
    assert.deepEqual(calls.sort(), ['a.js#f', 'a.js#g']);
  });

  it('classes that reach each of theirs by many ways', async () => {
    const levels = Array.from({ length: 150 }, (_, level) => `(A${level}, B${level}): pass`);
    const diamonds = levels.map((of, level) => `class A${level + 1}${of}\nclass B${level + 1}${of}\n`);
    const deep = `class A0:\n  def run(self): pass\nclass B0(A0): pass\n${diamonds.join('')}A60().run()\nA150()\n`;
    const names = Array.from({ length: 10 }, (_, at) => `C${at}`);
    const circular = names.map(
      (own) => `class ${own}(${names.filter((each) => each !== own).join()}): pass\n`,
    );
    for (const [text, called] of [
      [deep, ['a.py#A0.run', 'a.py#A150', 'a.py#A60']],
      [`${circular.join('')}C0()\n`, ['a.py#C0']],
    ] as const) {
      const calls = callsOf(resolveProject([await sourceFile('a.py', text)], []));
      assert.deepEqual(calls.sort(), called);
    }
  });

  it('classes that extend each other in a long chain, from the end', () => {
    const count = 2000;
    const classes = Array.from({ length: count }, (_, index): code.Statement => ({
      kind: 'class',
      class: {
        ...at,
        name: `C${index}`,
        form: 'class',
        members: [],
        supertypes: [
          { relation: 'extends', type: { ...at, kind: 'named', path: [`C${(index + 1) % count}`] } },
        ],
      },
    }));
    const made = call(name('C0'));
    const use = call({ ...at, kind: 'member', object: made, name: 'run' });
    const [graph] = resolveProject([program('a.js', [], [...classes, evaluate(use)])], []);
    assert.deepEqual(
      graph?.unresolved.map((each) => each.name),
      ['run'],
    );
  });

  it('modules that re-export each other, in any order', async () => {
    const names = Array.from({ length: 20 }, (_, index) => index);
    const files = await Promise.all(
      names.map((index) =>
        sourceFile(
          `m${index}.ts`,
          `export * from './m${(index + 1) % 20}.js'; export * from './m${(index + 7) % 20}.js';
export class C${index} extends C${(index + 3) % 20} { run() { f${(index + 5) % 20}(); } }
import { f${(index + 5) % 20}, C${(index + 3) % 20} } from './m${(index + 2) % 20}.js';
export function f${index}() { return new C${(index + 3) % 20}().run(); }`,
        ),
      ),
    );
    const graphs = resolveProject(files, []);
    assert.equal(callsOf(graphs).filter((each) => each.includes('#f')).length, 20);
    assert.deepEqual(resolveProject(files.toReversed(), []), graphs);
  });

  it('types of functions that return themselves, ever larger', async () => {
    const file = await sourceFile(
      'a.ts',
      `export type Grow<T> = (x: T) => Grow<T[]>;
export type Same<T> = (x: T) => Same<T>;
export type Many<T> = ((x: T) => Many<T[]>) & ((y: string) => Many<Many<T>>) & ((z: Many<T>) => Other<Many<T>>);
export type Other<T> = ((x: Many<T>) => Other<T[]>) & ((y: string) => Many<Other<T>>);
export interface Method<T> { <U>(options: U): Method<T & U>; run(): T; }
class Report { print() {} }
function use(grow: Grow<Report>, same: Same<Report>, many: Many<Report>, method: Method<Report>) {
  grow(1)(2)(3); same(1)(2); many(1)(2)(3)(4); method({})({}).run().print();
}`,
    );
    const graphs = resolveProject([file], []);
    assert.deepEqual(callsOf(graphs), ['a.ts#Method.run', 'a.ts#Report.print']);
  });

  it('a bundle whose modules export what they export', async () => {
    const file = await sourceFile(
      'lib.js',
      `(function (root, factory) {
  if (typeof module === 'object') module.exports = factory();
  else exports['lib'] = factory();
})(this, function () {
  return (function (modules) {
    function load(id) {
      var module = { exports: {} };
      modules[id].call(module.exports, module, module.exports, load);
      return module.exports;
    }
    return load(0);
  })([
    function (module, exports) {
      exports.default = run;
      function run() {}
      module.exports = exports['default'];
    },
    function (module, exports, load) { module.exports = { first: load(0) }; },
  ]);
});`,
    );
    const use = await sourceFile('use.js', "const { any } = require('./lib');\nany();");
    assert.ok(callsOf(resolveProject([file, use], [])).includes('lib.js#load'));
  });

  it('scopes nested in branches and loops a hundred times', async () => {
    const open = Array.from({ length: 100 }, (_, index) => `${' '.repeat(index)}while a${index}:`).join('\n');
    const text = `def f(): pass\ndef g(): pass\nx = f\n${open}\n${' '.repeat(100)}x = g\nx()\n`;
    const graphs = resolveProject([await sourceFile('a.py', text)], []);
    assert.deepEqual(new Set(callsOf(graphs).map((each) => each.slice(-1))), new Set(['f', 'g']));
  });

  it('names that are re-exported from file to file thousands of times', async () => {
    const count = 3000;
    const files = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        sourceFile(
          `m${String(index).padStart(4, '0')}.ts`,
          index < count - 1
            ? `export { f } from './m${String(index + 1).padStart(4, '0')}.js';`
            : 'export function f() {}\nf();',
        ),
      ),
    );
    const graphs = resolveProject(files, []);
    assert.equal(graphs.length, count);
    assert.deepEqual(callsOf(graphs), ['m2999.ts#f']);
  });

  it('thousands of overloads that other files call: names the file that declares them', async () => {
    const names = Array.from({ length: 1300 }, (_, index) => `T${index}`);
    const declared = names.map((each) => `  static void f(${each} x) {}`).join('\n');
    const files = [
      await sourceFile('A.java', `class A {\n${declared}\n}\n`),
      ...(await Promise.all(
        names.map((each) => sourceFile(`${each}.java`, `class ${each} { void use() { A.f(this); } }\n`)),
      )),
    ];
    const [declaring, ...calling] = resolveProject(files, []);
    assert.match(declaring?.note ?? '', /^The file is too complex: it declares /);
    assert.ok(calling.every(({ note }) => note === undefined));
    const open = calling.reduce((sum, { unresolved }) => sum + unresolved.length, 0);
    assert.ok(open > 0 && callsOf(calling).length > 0);
    assert.equal(callsOf(calling).length + open, names.length);
  });

  it('interfaces of many files that many types implement, with many methods: names the files that have more', async () => {
    const interfaces = (file: number, count: number, body: string): Promise<SourceFile> => {
      const lines = Array.from({ length: count }, (_, at) => `type I${file}x${at} interface { ${body} }`);
      return sourceFile(`a/i${file}.go`, ['package a', ...lines].join('\n'));
    };
    const types = (count: number, body: string) =>
      Array.from({ length: count }, (_, at) => `type T${at} struct { B }\n`).join('') + body;
    const count = async (files: SourceFile[], type: string) => {
      const graphs = resolveProject([...files, await sourceFile('a/t.go', `package a\n${type}`)], []);
      const found = graphs.flatMap((graph) => graph.edges.filter(({ kind }) => kind === 'implements'));
      return {
        edges: found.length,
        noted: graphs.filter(({ note }) => note?.startsWith('The project is')).length,
      };
    };
    const one = await Promise.all([0, 1, 2, 3, 4, 5].map((file) => interfaces(file, 600, 'M()')));
    const few = await count(one, types(299, 'type B struct {}\nfunc (b B) M() {}\n'));
    assert.ok(few.edges > 990_000 && few.edges <= 1_000_000, String(few.edges));
    assert.equal(few.noted, 1);
    const methods = Array.from({ length: 400 }, (_, at) => `M${at}()`);
    const many = await count(
      [await interfaces(0, 250, methods.join('; '))],
      types(149, `type B struct {}\n${methods.map((each) => `func (b B) ${each} {}`).join('\n')}\n`),
    );
    assert.equal(many.edges, 166 * 150);
    assert.equal(many.noted, 1);
  });

  it('a file that imports all names of thousands of modules', async () => {
    const names = Array.from({ length: 1500 }, (_, index) => index);
    const file = await sourceFile(
      'a.cpp',
      [
        ...names.map((each) => `namespace n${each} { void f${each}() {} }\nusing namespace n${each};`),
        'void use() {',
        ...names.map((each) => `f${each}(); g${each}();`),
        '}',
      ].join('\n'),
    );
    const [graph] = resolveProject([file], []);
    assert.match(graph?.note ?? '', /^The file is too complex: it imports /);
    assert.ok(callsOf(graph ? [graph] : []).includes('a.cpp#n0.f0'));
  });
});
