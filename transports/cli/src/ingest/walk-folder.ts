import { lstat, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Dirent } from 'node:fs';
import { readRules } from './open-unblocked.js';
import { noRules, type Rules } from './path-rules.js';

/**
 * Reasons to skip a file. `special` is a socket, device or pipe; `excluded` is by --include or --exclude;
 * `secret` may hold secrets, by its name; `service_key` holds a key or token of this service.
 */
export const SKIP_REASONS = [
  'ignored',
  'excluded',
  'secret',
  'service_key',
  'binary',
  'too_large',
  'symlink',
  'special',
  'unreadable',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** A regular file. Paths are relative to the root of the walk, `/`-separated. */
export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** An entry of a walk. */
export type Found =
  | ({ readonly kind: 'file' } & FoundFile)
  | { readonly kind: 'skipped'; readonly path: string; readonly reason: SkipReason }
  /** A folder that was not entered; its contents are not counted. */
  | {
      readonly kind: 'folder';
      readonly path: string;
      readonly reason: 'ignored' | 'excluded' | 'unreadable';
    };

export const IGNORE_FILES: readonly string[] = ['.gitignore', '.serviceignore'];
/** Version control's own data, and our link file. */
export const NEVER_CONTENT: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  '.service-mcp.json',
]);
const AT_ONCE = 64;

/**
 * Walks a folder sorted by name, without following symbolic links. `.gitignore` and `.serviceignore` files
 * are honoured with git's rules, at every depth, and from the top of the git repository that the folder is in.
 */
export async function* walkFolder(
  root: string,
  options: {
    readonly excludes: (path: string) => boolean;
    readonly isSecret: (path: string) => boolean;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<Found> {
  const { rules, base } = await rulesAbove(root);
  const folders: { path: string; rules: Rules }[] = [{ path: '', rules }];
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    options.signal.throwIfAborted();
    const absolute = join(root, folder.path);
    let entries: Dirent[];
    try {
      entries = await readdir(absolute, { withFileTypes: true });
    } catch (thrown) {
      if (folder.path === '') throw thrown;
      yield { kind: 'folder', path: folder.path, reason: 'unreadable' };
      continue;
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const inside = folder.rules.within(joinPath(base, folder.path), await ignoreFiles(absolute, entries));
    const below: { path: string; rules: Rules }[] = [];
    const files: Dirent[] = [];
    for (const entry of entries) {
      if (NEVER_CONTENT.has(entry.name)) continue;
      const path = joinPath(folder.path, entry.name);
      const isFolder = entry.isDirectory();
      const reason = inside.ignores(joinPath(base, path), isFolder)
        ? 'ignored'
        : options.excludes(isFolder ? `${path}/` : path)
          ? 'excluded'
          : undefined;
      if (reason) yield { kind: isFolder ? 'folder' : 'skipped', path, reason };
      else if (isFolder) below.push({ path, rules: inside });
      else if (entry.isSymbolicLink()) yield { kind: 'skipped', path, reason: 'symlink' };
      else if (options.isSecret(path)) yield { kind: 'skipped', path, reason: 'secret' };
      else if (entry.isFile()) files.push(entry);
      else yield { kind: 'skipped', path, reason: 'special' };
    }
    for (let i = 0; i < files.length; i += AT_ONCE) {
      const group = files.slice(i, i + AT_ONCE);
      yield* await Promise.all(
        group.map(({ name }) => measure(join(absolute, name), joinPath(folder.path, name))),
      );
    }
    folders.push(...below.toReversed());
  }
}

async function measure(file: string, path: string): Promise<Found> {
  try {
    const { size, mtime } = await lstat(file);
    return { kind: 'file', path, bytes: size, modifiedAt: mtime };
  } catch {
    return { kind: 'skipped', path, reason: 'unreadable' };
  }
}

/** The texts of a folder's ignore files, weakest first. Symbolic links do not count, as in git. */
async function ignoreFiles(folder: string, entries: readonly Dirent[]): Promise<string[]> {
  const present = IGNORE_FILES.filter((name) =>
    entries.some((entry) => entry.name === name && entry.isFile()),
  );
  return Promise.all(present.map((name) => readRules(join(folder, name))));
}

/**
 * The rules of the repository around `root`: `info/exclude` and the ignore files of the folders above. `base` is
 * the path of `root` in it. A folder that those rules ignore was named on purpose: then they do not apply.
 */
async function rulesAbove(root: string): Promise<{ rules: Rules; base: string }> {
  const top = await repositoryAround(root);
  if (top === undefined) return { rules: noRules(), base: '' };
  const base = relative(top, root).split(sep).join('/');
  const exclude = await readRules(join(top, '.git', 'info', 'exclude'));
  let rules = noRules().within('', [exclude]);
  const parts = base === '' ? [] : base.split('/');
  for (let depth = 0; depth < parts.length; depth += 1) {
    const folder = parts.slice(0, depth).join('/');
    const absolute = join(top, folder);
    const entries = await readdir(absolute, { withFileTypes: true }).catch(() => []);
    rules = rules.within(folder, await ignoreFiles(absolute, entries));
    if (rules.ignores(parts.slice(0, depth + 1).join('/'), true)) return { rules: noRules(), base: '' };
  }
  return { rules, base };
}

/** The nearest folder with a `.git`, this one included. */
async function repositoryAround(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await lstat(join(at, '.git')).catch(() => undefined);
    if (found) return at;
    if (dirname(at) === at) return undefined;
  }
}

function joinPath(folder: string, name: string): string {
  if (folder === '') return name;
  return name === '' ? folder : `${folder}/${name}`;
}
