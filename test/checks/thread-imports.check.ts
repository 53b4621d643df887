import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { importsIn, type Import } from './imports.js';
import { ROOT, packages } from './repository.js';

/** Schemas and the registry: 400 modules, half a second of each thread's start. */
const HEAVY = /^(?:typebox|@service-mcp\/(?:core|plugin-[a-z-]+\/contract))$/;
const THREAD = /(?:const WORKER =|\bworker:) new URL\('([^']+)\.js', import\.meta\.url\)/;

/** The modules of a package that a file imports at run time, itself first. */
function reachedFrom(entry: string, imports: readonly Import[]): Set<string> {
  const reached = new Set([entry]);
  for (const file of reached) {
    for (const { specifier } of imports.filter((found) => found.file === file && !found.typeOnly)) {
      if (specifier.startsWith('.'))
        reached.add(posix.join(posix.dirname(file), specifier.replace(/\.js$/, '.ts')));
    }
  }
  return reached;
}

describe('modules of threads', () => {
  const threads = packages().flatMap(({ folder }) => {
    const imports = importsIn(`${folder}/src`);
    return [...new Set(imports.map(({ file }) => file))].flatMap((file) => {
      const [, path] = THREAD.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
      return path === undefined ? [] : [{ entry: posix.join(posix.dirname(file), `${path}.ts`), imports }];
    });
  });

  it('are found', () => assert.ok(threads.length >= 5, String(threads.length)));

  for (const { entry, imports } of threads) {
    it(`${entry} loads neither schemas nor core`, () => {
      const reached = reachedFrom(entry, imports);
      const heavy = imports.filter(
        ({ file, specifier, typeOnly }) => reached.has(file) && !typeOnly && HEAVY.test(specifier),
      );
      assert.deepEqual(heavy, []);
    });
  }
});
