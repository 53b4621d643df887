import assert from 'node:assert/strict';
import { resolveProject, rulesOf } from '@service-mcp/plugin-graph/internals';
import { edges } from './support/edges.js';
import { sourceFile } from './support/source-file.js';

describe('resolve: Java', () => {
  it('takes the methods of objects in variables of external types for overriders', async () => {
    const file = await sourceFile(
      'a/Part.java',
      `package a;

import java.util.Spliterator;

class Part implements Spliterator<String> {
  public long estimateSize() { return 1; }
  static void own(Part part) { part.estimateSize(); }
  static void made() { new Part().estimateSize(); }
  static void outer() {
    Spliterator<String> part = new Part();
    part.estimateSize();
  }
  static Spliterator<String> give() { return new Part(); }
  static void given() { give().estimateSize(); }
}
`,
    );
    const [graph] = resolveProject([file], []);
    const calls = graph?.edges.flatMap(({ source, target, confidence, reason }) =>
      target.endsWith('estimateSize') ? [`${graph.symbols[source]?.name} ${reason} ${confidence}`] : [],
    );
    assert.deepEqual(calls, [
      'own type 0.95',
      'made type 0.95',
      'outer hierarchy 0.8',
      'given hierarchy 0.8',
    ]);
  });

  it('takes the methods of objects in variables of library types for overriders', async () => {
    const file = await sourceFile(
      'a/Job.java',
      `package a;

class Job implements Runnable {
  public void run() {}
  static void own(Job job) { job.run(); }
  static void outer() {
    Runnable job = new Job();
    job.run();
  }
}
`,
    );
    const [graph] = resolveProject([file], []);
    const calls = graph?.edges.flatMap(({ source, target, confidence, reason }) =>
      target.endsWith('run') ? [`${graph.symbols[source]?.name} ${reason} ${confidence}`] : [],
    );
    assert.deepEqual(calls, ['own type 0.95', 'outer hierarchy 0.8']);
  });

  it('passes no functions to a parameter of a class', async () => {
    const file = await sourceFile(
      'a/Main.java',
      `package a;

import java.util.function.Consumer;

class Item { void save() {} }

class Main {
  static <T> void each(T value, Consumer<T> action) { action.accept(value); }
  static void start(Runnable task) { task.run(); }
  static void show(Item item) { item.save(); }
  static void one() {}
  static void all() {
    Runnable task = Main::one;
    each(new Item(), Main::show);
    each(task, Main::start);
  }
}
`,
    );
    const calls = edges([file]).filter((each) => /^Main\.(?:show|start) /.test(each));
    assert.deepEqual(calls, ['Main.start calls Main.one flow', 'Main.show calls Item.save type']);
  });

  it('is half sure of each of two overloads that fit equally well', async () => {
    const file = await sourceFile(
      'a/Size.java',
      `package a;

class Size {
  Size(int a) {}
  Size(Collection<?> all) {}
  static void known() { new Size(1); }
  static void unknown(Other other) { new Size(other.size()); }
}
`,
    );
    const [graph] = resolveProject([file], []);
    const calls = graph?.edges.map(({ source, target, confidence }) => {
      const caller = graph.symbols[source]?.qualifiedName;
      return `${caller} ${target.replace(/.*#/, '')} ${confidence}`;
    });
    assert.deepEqual(calls, [
      'Size.known Size.Size 1',
      'Size.unknown Size.Size 0.5',
      'Size.unknown Size.Size~2 0.5',
    ]);
  });

  it('looks at the files of a package once, however many types of it are imported', () => {
    const paths = ['a', 'b'].flatMap((module) => ['One', 'Two'].map((type) => `${module}/p/${type}.java`));
    let read = 0;
    const counted = new Proxy(paths, {
      get: (target, key): unknown => {
        if (typeof key === 'string' && /^\d/.test(key)) read += 1;
        return Reflect.get(target, key);
      },
    });
    const modules = rulesOf('java').modules({
      manifests: [],
      paths,
      has: (path) => paths.includes(path),
      inDirectory: () => [],
      endingWith: () => [],
      ofPackage: (name) => (name === 'p' ? counted : []),
      ofNamespace: () => [],
      packageOf: () => 'p',
      importsOf: () => [],
      openedByMacros: () => 0,
      constraintOf: () => undefined,
    });
    const find = (name: string, from: string) => modules.find({ module: 'p', name, form: 'named' }, from);
    for (const from of ['b/q/Use.java', 'b/q/Other.java']) {
      const own = { kind: 'files', paths: ['b/p/Two.java'], within: [] };
      assert.deepEqual(find('Two', from), own);
      const all = ['b/p/One.java', 'b/p/Two.java', 'a/p/One.java', 'a/p/Two.java'];
      assert.deepEqual(find('Shared', from), { kind: 'files', paths: all, within: [] });
    }
    const once = read;
    for (const from of ['b/q/Use.java', 'b/q/Third.java'])
      for (const name of ['One', 'Two', 'Shared']) find(name, from);
    assert.equal(read, once);
  });
});
