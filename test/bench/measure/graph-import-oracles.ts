import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Sources } from './graph-sources.js';

/** Imports inside the project: `from`, a space, `to`. */
export type Imports = ReadonlySet<string>;

type Cruise = (paths: readonly string[], options: object) => Promise<{ readonly output: unknown }>;
type Madge = (
  paths: readonly string[],
  options: object,
) => Promise<{ obj(): Record<string, readonly string[]> }>;

interface CruisedModule {
  readonly source: string;
  readonly dependencies: ReadonlyArray<{ readonly resolved: string }>;
}

const require = createRequire(import.meta.url);

/** What dependency-cruiser finds. Throws where it skipped files, which it does not say by itself. */
export async function cruiserImports({ directory, paths }: Sources): Promise<Imports> {
  const beside = import.meta.resolve('dependency-cruiser');
  giveTypeScript5(beside);
  const { cruise } = (await import(beside)) as { readonly cruise: Cruise };
  const options = { baseDir: directory, tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } };
  const { output } = await cruise(paths, options);
  const { modules } = output as { readonly modules: readonly CruisedModule[] }; // its format without a reporter
  const seen = modules.filter(({ dependencies }) => dependencies.length > 0).length;
  if (seen < paths.length / 3) throw new Error(`dependency-cruiser read ${seen} of ${paths.length} files.`);
  return new Set(
    modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => `${source} ${resolved}`),
    ),
  );
}

/** What madge finds. */
export async function madgeImports({ directory, paths }: Sources): Promise<Imports> {
  const beside = require.resolve('madge');
  giveTypeScript5(beside);
  giveTypeScript5(createRequire(beside).resolve('dependency-tree'));
  const madge = require('madge') as Madge;
  const result = await madge(
    paths.map((path) => join(directory, path)),
    {
      baseDir: directory,
      fileExtensions: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'],
      detectiveOptions: { ts: { mixedImports: true }, es6: { mixedImports: true } },
    },
  );
  return new Set(
    Object.entries(result.obj()).flatMap(([source, targets]) =>
      targets.map((target) => `${source} ${target}`),
    ),
  );
}

/**
 * Both tools need the compiler's API, which TypeScript 7 lacks, and load the version beside them: 7. What they load
 * comes from the cache of modules, so the right version goes there.
 */
function giveTypeScript5(tool: string): void {
  const beside = createRequire(tool);
  for (const name of ['typescript', 'typescript/package.json']) {
    require(name);
    const loaded = require.cache[require.resolve(name)];
    if (loaded) require.cache[beside.resolve(name)] = loaded;
  }
}
