import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a slash at the end. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface Package {
  readonly name: string;
  /** Relative to the root: `plugins/search`. */
  readonly folder: string;
  /** Built files by the path under which others import them: `.`, `./contract`; files that are not built by their place alone. */
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Every package that is published: core, the plugins and the transports. */
export function packages(): Package[] {
  const groups = ['plugins', 'transports'].flatMap((group) =>
    readdirSync(join(ROOT, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${group}/${name}`),
  );
  return ['core', ...groups.sort()].map(readPackage);
}

export function readPackage(folder: string): Package {
  const text = readFileSync(join(ROOT, folder, 'package.json'), 'utf8');
  const {
    name,
    exports = {},
    dependencies = {},
    devDependencies = {},
  } = JSON.parse(text) as Partial<Package>;
  return { name: name ?? folder, folder, exports, dependencies, devDependencies };
}

/** Paths of the tracked files, relative to the root. */
export function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return listed.split('\0').filter(Boolean);
}
