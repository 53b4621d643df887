/** The directory of a path; empty for the root. */
export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A path relative to a directory, without `.` and `..`. Undefined where it leaves the project. */
export function joinPath(directory: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of [...(path.startsWith('/') ? [] : directory.split('/')), ...path.split('/')]) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** How many directories around two files are the same. */
export function sharedDirectories(a: string, b: string): number {
  let count = 0;
  for (let index = 0; index < a.length && a[index] === b[index]; index += 1) if (a[index] === '/') count += 1;
  return count;
}

/** Those of several items whose files share most directories with a file, in their order: modules may repeat names. */
export function nearest<T>(items: readonly T[], path: string, pathOf: (item: T) => string): readonly T[] {
  if (items.length <= 1) return items;
  const shared = items.map((item) => sharedDirectories(pathOf(item), path));
  const most = shared.reduce((a, b) => Math.max(a, b));
  return items.filter((_, index) => shared[index] === most);
}

/** Files in the order of the directories that they share with another: most first, else as they are. */
export function nearestFirst(paths: readonly string[], from: string): readonly string[] {
  if (paths.length <= 1) return paths;
  const shared = new Map(paths.map((path) => [path, sharedDirectories(path, from)]));
  return [...paths].sort((a, b) => (shared.get(b) ?? 0) - (shared.get(a) ?? 0));
}
