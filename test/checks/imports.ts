import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './repository.js';

export interface Import {
  /** Relative to the root. */
  readonly file: string;
  readonly specifier: string;
  /** True where nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

const STATIC = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?[^'";]*?\bfrom\s+'([^']+)'/g;
const BARE = /(?:^|\n)\s*import\s+'([^']+)'/g;
const CALLED = /\b(?:import|require(?:\.resolve)?|resolve)\(\s*'([^']+)'/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/[^\n]*/g;

/** Every import of the TypeScript sources in a folder, relative to the root. */
export function importsIn(folder: string): Import[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((name) => importsOf(`${folder}/${name}`, readFileSync(join(ROOT, folder, name), 'utf8')));
}

export function importsOf(file: string, source: string): Import[] {
  const text = source.replaceAll(COMMENT, '');
  return [
    ...[...text.matchAll(STATIC)].map(([, type, specifier = '']) => ({ specifier, typeOnly: !!type })),
    ...[...text.matchAll(BARE)].map(([, specifier = '']) => ({ specifier, typeOnly: false })),
    ...[...text.matchAll(CALLED)].map(([, specifier = '']) => ({ specifier, typeOnly: false })),
  ].map((found) => ({ file, ...found }));
}

/** `@scope/name/sub/path` to `@scope/name`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
