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
