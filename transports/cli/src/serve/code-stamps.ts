import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Inode, size and time of change of files, by their path. */
export type Stamps = ReadonlyMap<string, string>;

const CODE = /\.[cm]?js$/;

/** The stamps of a file and of every script below folders, without node_modules. What is not there has none. */
export async function readStamps(file: string, folders: Iterable<string>): Promise<Stamps> {
  const scripts = await Promise.all([...folders].map(scriptsBelow));
  const paths = [...new Set([file, ...scripts.flat()])];
  const stamps = await Promise.all(paths.map(async (path) => [path, await stampOf(path)] as const));
  return new Map(stamps.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The paths whose stamps differ, sorted: changed, new and deleted ones. */
export function changedPaths(before: Stamps, now: Stamps): string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => before.get(path) !== now.get(path)).toSorted();
}

async function scriptsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // deleted, or not to be read
  const below = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : scriptsBelow(path);
    return CODE.test(entry.name) ? [path] : [];
  });
  return (await Promise.all(below)).flat();
}

async function stampOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.ino} ${found.size} ${found.mtimeNs}`;
}
