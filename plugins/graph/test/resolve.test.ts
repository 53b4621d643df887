import assert from 'node:assert/strict';
import { resolveProject, type SourceFile } from '@service-mcp/plugin-graph/internals';
import { sourceFile } from './support/source-file.js';

/** `source kind target reason`, without references. */
function edges(files: readonly SourceFile[]): string[] {
  return resolveProject(files, []).flatMap((graph) =>
    graph.edges
      .filter((edge) => edge.kind !== 'references')
      .map((edge) => {
        const source = graph.symbols[edge.source]?.qualifiedName ?? '';
        return `${source} ${edge.kind} ${edge.target.replace(/.*#/, '')} ${edge.reason}`;
      }),
  );
}

describe('resolve', () => {
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

  it('does not depend on the order of files', async () => {
    const files = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        sourceFile(`${name}.ts`, `export class ${name} { run() { this.run(); } }`),
      ),
    );
    assert.deepEqual(resolveProject(files, []), resolveProject(files.toReversed(), []));
  });

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
});
