import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
const TEXT = /\.(?:ts|mts|cts|js|mjs|cjs|md)$/;
const GENERATED = /\.min\.|\.umd\.|[/\\](?:umd|locale|locales)[/\\]/;
const MIN_BYTES = 300;
const MAX_BYTES = 48 * 1024;

export interface SourceFile {
  /** Relative to the folder of installed packages, separated by `/`. */
  readonly path: string;
  readonly from: string;
  readonly bytes: number;
}

/**
 * Source and documentation of the installed packages, at most `count` files of at least `minBytes`: real text that every checkout has.
 * Hidden folders are left out: what tests installed there.
 * Taken at even steps from the sorted list, so that all packages take part and each run takes the same.
 */
export async function sourceFiles(count: number, minBytes = MIN_BYTES): Promise<SourceFile[]> {
  const entries = await readdir(PACKAGES, { recursive: true, withFileTypes: true });
  const all: SourceFile[] = [];
  for (const entry of entries) {
    if (!entry.isFile() || !TEXT.test(entry.name)) continue;
    const from = join(entry.parentPath, entry.name);
    const path = relative(PACKAGES, from).replaceAll('\\', '/');
    if (path.startsWith('.') || GENERATED.test(path)) continue;
    const { size: bytes } = await stat(from);
    if (bytes >= minBytes && bytes <= MAX_BYTES) all.push({ path, from, bytes });
  }
  all.sort((a, b) => (a.path < b.path ? -1 : 1));
  const wanted = Math.min(count, all.length);
  return Array.from(
    { length: wanted },
    (_none, at) => all[Math.floor((at * all.length) / wanted)] as SourceFile,
  );
}

/** Copies files into a folder, at their paths. */
export async function copyInto(folder: string, files: readonly SourceFile[]): Promise<void> {
  for (const { path, from } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(from, target);
  }
}
