import assert from 'node:assert/strict';
import { resolveProject } from '@service-mcp/plugin-graph/internals';
import { edges } from './support/edges.js';
import { sourceFile } from './support/source-file.js';

describe('resolve', () => {
  it('tells that a method in a field of a struct flows there', async () => {
    const file = await sourceFile(
      'a.go',
      `package a

type Writer struct{ step func(*Writer) }

func (w *Writer) store() {}

func (w *Writer) start() { w.step = (*Writer).store }

func (w *Writer) write() { w.step(w) }
`,
    );
    assert.deepEqual(edges([file]), ['Writer.write calls Writer.store flow']);
  });
  it('cuts the name of a module that holds a whole file', async () => {
    const data = `data:application/wasm;base64,${'AGFzbQ/E'.repeat(10_000)}`;
    const text = `import start from '${data}';\nimport * as path from 'node:path';\nstart(path.join());\n`;
    const [graph] = resolveProject([await sourceFile('a.ts', text)], []);
    assert.deepEqual(
      graph?.externals.map(({ module, kind }) => [module.slice(0, 29), module.length, kind]),
      [
        [data.slice(0, 29), 300, 'calls'],
        ['node:path', 9, 'calls'],
        [data.slice(0, 29), 300, 'imports'],
        ['node:path', 9, 'imports'],
      ],
    );
  });
  it('binds calls through scopes, declared types, supertypes and type arguments', async () => {
    const file = await sourceFile(
      'a.ts',
      `interface Item { describe(): string }
class Book implements Item { describe() { return 'book'; } }
class Shelf<T> { private items: T[] = []; constructor(readonly first: T) {} take(): T { return this.first; } }
class Store extends Shelf<Book> { sell() { this.take().describe(); } }
function show(item: Item) { item.describe(); }
function same<U>(value: U): U { return value; }
export function main() {
  new Store(new Book()).sell();
  same(new Book()).describe();
  [1].map(() => show(new Book()));
}`,
    );
    assert.deepEqual(edges([file]), [
      'Book implements Item scope',
      'Store extends Shelf scope',
      'Store.sell calls Book.describe type',
      'Store.sell calls Shelf.take type',
      'show calls Book.describe hierarchy',
      'show calls Item.describe type',
      'main calls Book scope',
      'main calls Book.describe type',
      'main calls Shelf.constructor scope',
      'main calls Store.sell type',
      'main calls same scope',
      'main calls show scope',
    ]);
  });

  it('binds functions that construct objects, and calls through members of functions', async () => {
    const file = await sourceFile(
      'a.js',
      `function Animal() { this.init(); }
Animal.prototype.init = function init() { this.speak(); };
Animal.prototype.speak = function speak() { helper.apply(null, []); };
function Dog() { Animal.call(this); }
Dog.prototype = new Animal();
Dog.prototype.bark = function bark() { this.speak(); };
function helper() {}
new Dog().bark();
helper.bind(null)();`,
    );
    assert.deepEqual(edges([file]), [
      ' calls Animal scope',
      ' calls Dog scope',
      ' calls Dog.bark flow',
      ' calls helper flow',
      'Animal calls Animal.init flow',
      'Animal.init calls Animal.speak flow',
      'Animal.speak calls helper flow',
      'Dog calls Animal flow',
      'Dog.bark calls Animal.speak flow',
    ]);
  });

  it('finds overriders of virtual methods of C++ and of methods of PHP that are not private', async () => {
    const cpp = await sourceFile(
      'a.cpp',
      `class Base { public: void plain() {} virtual void open(); void touch() { plain(); open(); } };
class Middle : public Base { public: void plain() {} void open() {} void again() { plain(); open(); } };
class Sub : public Middle { public: void plain() {} void open() {} };
void Base::open() {}`,
    );
    const php = await sourceFile(
      'a.php',
      `<?php
trait Marks { private function mark() {} function note() { $this->mark(); } }
class Base { use Marks; private function mark() {} private function own() {} function touch() { $this->own(); } }
class Sub extends Base { private function own() {} }`,
    );
    const calls = edges([cpp, php]).filter((edge) => edge.includes(' calls '));
    assert.deepEqual(calls, [
      'Base.touch calls Base.open scope',
      'Base.touch calls Base.plain scope',
      'Base.touch calls Middle.open hierarchy',
      'Base.touch calls Sub.open hierarchy',
      'Middle.again calls Middle.open scope',
      'Middle.again calls Middle.plain scope',
      'Middle.again calls Sub.open hierarchy',
      'Marks.note calls Base.mark hierarchy',
      'Marks.note calls Marks.mark type',
      'Base.touch calls Base.own type',
    ]);
  });

  it('finds members of C++ defined under `using namespace`, and nothing else of the files', async () => {
    const files = await Promise.all([
      sourceFile(
        'geo.hpp',
        'namespace geo { class Circle { public: void grow(); void area(); }; int util(); }',
      ),
      sourceFile('all.hpp', '#include "geo.hpp"\nusing namespace geo;'),
      sourceFile(
        'circle.cpp',
        '#include "geo.hpp"\nusing namespace geo;\nvoid Circle::grow() { area(); util(); }\nvoid Circle::area() {}',
      ),
      sourceFile('geo.cpp', 'namespace geo { int util() { return 1; } }\nvoid loose() {}'),
      sourceFile('main.cpp', '#include "all.hpp"\nint main() { Circle c; c.grow(); loose(); util(); }'),
    ]);
    assert.deepEqual(edges(files), [
      ' imports geo.hpp import',
      ' imports geo.hpp import',
      'Circle.grow calls Circle.area scope',
      'Circle.grow calls geo.util scope',
      ' imports all.hpp import',
      'main calls Circle.grow type',
      'main calls geo.util scope',
      'main calls geo.Circle scope',
    ]);
  });

  it('finds headers of the project in angle brackets unless a library has their name', async () => {
    const files = await Promise.all([
      sourceFile('include/list.h', 'static inline int size(void) { return 1; }'),
      sourceFile('compat/string.h', 'static inline int length(void) { return 1; }'),
      sourceFile('src/main.c', '#include <list.h>\n#include <string.h>\nint main(void) { return size(); }'),
    ]);
    assert.deepEqual(edges(files), [' imports include/list.h import', 'main calls size scope']);
  });

  it('does not depend on the order of files', async () => {
    const files = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        sourceFile(`${name}.ts`, `export class ${name} { run() { this.run(); } }`),
      ),
    );
    assert.deepEqual(resolveProject(files, []), resolveProject(files.toReversed(), []));
  });

  it('finds names through modules that pass on the names of each other', async () => {
    for (const [extension, texts] of Object.entries({
      py: {
        'a.py': 'from both import f\nf()',
        'both/__init__.py': 'from .one import *\nfrom .two import *',
        'both/one.py': 'from both import *',
        'both/two.py': 'def f():\n    pass',
        'z.py': 'from both.one import f\nf()',
      },
      ts: {
        'a.ts': 'import { f } from "./both"; f();',
        'both.ts': 'export * from "./one"; export * from "./two";',
        'one.ts': 'export * from "./both";',
        'two.ts': 'export function f() {}',
        'z.ts': 'import { f } from "./one"; f();',
      },
    })) {
      const files = await Promise.all(Object.entries(texts).map((each) => sourceFile(...each)));
      const callers = resolveProject(files, [])
        .filter(({ edges: all }) => all.some(({ kind, target }) => kind === 'calls' && target.endsWith('#f')))
        .map(({ path }) => path);
      assert.deepEqual(callers, [`a.${extension}`, `z.${extension}`]);
    }
  });

  for (const [path, text] of [
    ['a.rb', 'class A\n def [](key)\n  1\n end\n def f\n  self[2]\n end\nend\n'],
    [
      'a.php',
      '<?php\nclass A implements ArrayAccess {\n function offsetGet($k) {}\n function f() {\n\n  $this[2];\n }\n}\n',
    ],
    ['a.cs', 'class A {\n int this[int i] => 1;\n\n int f() {\n\n  return this[2];\n }\n}\n'],
    [
      'a.ts',
      'class A {\n *[Symbol.iterator]() { yield new A(); }\n get() {}\n\n f() {\n  for (const a of this) a.get();\n }\n}\n',
    ],
    [
      'a.cpp',
      'class A {\npublic:\n int operator[](int i) { return i; }\n int f() {\n\n  return (*this)[2];\n }\n};\n',
    ],
  ] as const) {
    it(`places an operation on the object itself: ${path}`, async () => {
      const graphs = resolveProject([await sourceFile(path, text)], []);
      const calls = graphs.flatMap(({ symbols, edges: all }) =>
        all.filter(({ kind, source }) => kind === 'calls' && symbols[source]?.name === 'f'),
      );
      assert.deepEqual(
        calls.map(({ line }) => line),
        [6],
      );
    });
  }

  it('binds a call by its name alone also to what object literals have for the member', async () => {
    const text = `interface Changes { undoAll(): void }
const make = (): Changes => ({ undoAll() {} });
function run(of: any) { of.undoAll(); }`;
    const [graph] = resolveProject([await sourceFile('a.ts', text)], []);
    const calls = graph?.edges.filter(({ kind }) => kind === 'calls');
    const targets = calls?.map(({ target, reason, confidence }) => `${target} ${reason} ${confidence}`);
    assert.deepEqual(targets, ['a.ts#Changes.undoAll unique_name 0.35', 'a.ts#make.undoAll hierarchy 0.35']);
  });

  it('is sure of an extension of a type of the library', async () => {
    const text = `static class Extensions { public static int Twice(this int of) { return of * 2; } }
class Main { void Run() { 3.Twice(); } }`;
    const [graph] = resolveProject([await sourceFile('a.cs', text)], []);
    const [call] = graph?.edges.filter(({ target }) => target.endsWith('Twice')) ?? [];
    assert.deepEqual([call?.reason, call?.confidence], ['type', 0.95]);
  });
});
