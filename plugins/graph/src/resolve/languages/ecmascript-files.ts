import { posix } from 'node:path';
import type { ProjectFiles } from '../modules.js';

const TYPESCRIPT = ['.ts', '.tsx', '.mts', '.cts'];
const JAVASCRIPT = ['.js', '.jsx', '.mjs', '.cjs'];
const COMPONENTS = ['.vue', '.svelte', '.astro'];
const OTHER = [...COMPONENTS, '.json', '.node'];
const DECLARATIONS = ['.d.ts', '.d.mts', '.d.cts'];

/** Sources of the output file that an import names. */
const SOURCES: ReadonlyMap<string, readonly string[]> = new Map([
  ['.js', ['.ts', '.tsx', '.jsx', '.d.ts']],
  ['.jsx', ['.tsx', '.d.ts']],
  ['.mjs', ['.mts', '.d.mts']],
  ['.cjs', ['.cts', '.d.cts']],
]);

/**
 * The file that a path names as TypeScript, Node and bundlers find it: with another extension, or the index of a directory.
 * A path that is empty or ends in `/` names a directory.
 */
export function findFile(files: ProjectFiles, path: string, from: string): string | undefined {
  const typescript = [...TYPESCRIPT, ...COMPONENTS].some((extension) => from.endsWith(extension));
  const suffixes = typescript
    ? [...TYPESCRIPT, ...JAVASCRIPT, ...OTHER, ...DECLARATIONS]
    : [...JAVASCRIPT, ...TYPESCRIPT, ...OTHER, ...DECLARATIONS];
  const extension = posix.extname(path);
  const stem = path.slice(0, path.length - extension.length);
  const sources = (SOURCES.get(extension) ?? []).map((each) => stem + each);
  const isDirectory = path === '' || path.endsWith('/');
  const candidates = [
    ...(typescript ? [...sources, path] : [path, ...sources]),
    ...suffixes.map((suffix) => path + suffix),
  ];
  const indexes = suffixes.map((suffix) => posix.join(path, `index${suffix}`));
  return [...(isDirectory ? [] : candidates), ...indexes].find((each) => files.has(each));
}
