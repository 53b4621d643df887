import { createHash } from 'node:crypto';
import type { FileLinks } from './file-links.js';
import { groupBy } from './group-by.js';
import type { Modules } from './modules.js';
import { nearest } from './languages/paths.js';

/** A file as far as it decides which others its graph depends on. */
export interface LinkedFile {
  readonly path: string;
  /** Equal for files with equal text, language and notes. */
  readonly version: string;
  readonly links: FileLinks;
}

/** Files that import each other or share global variables, directly or not, and no others. */
export interface FileGroup<File extends LinkedFile> {
  /** In order of path. */
  readonly files: readonly File[];
  /** Equal where files, texts and what the imports lead to are equal. */
  readonly key: string;
}

/** Divides files into groups, in order of their first paths. Depends on the set of files alone. */
export function groupsOf<File extends LinkedFile>(
  files: readonly File[],
  modules: Modules,
): Array<FileGroup<File>> {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const indexes = new Map(sorted.map(({ path }, index) => [path, index]));
  const connections = new Connections(sorted.length);
  const imports = sorted.map(({ path, links }, index) =>
    links.modules.map((module) => {
      const target = modules.find({ module }, path);
      for (const each of target.kind === 'files' ? target.paths : [])
        connections.connect(index, indexes.get(each) ?? index);
      return target;
    }),
  );
  connectScripts(sorted, connections);
  const groups = groupBy(sorted.keys(), (index) => connections.firstOf(index));
  return [...groups.values()].map((members) => {
    const key = createHash('sha256');
    for (const index of members) {
      const { path, version } = sorted[index]!;
      key.update(`${JSON.stringify([path, version, imports[index]])}\n`);
    }
    return { files: members.map((index) => sorted[index]!), key: key.digest('base64') };
  });
}

/** A script that uses a global variable depends on the nearest scripts that declare it. */
function connectScripts(files: readonly LinkedFile[], connections: Connections): void {
  const declaring = new Map<string, number[]>();
  for (const [index, { links }] of files.entries())
    for (const name of links.globals?.declared ?? []) {
      const known = declaring.get(name);
      if (known) known.push(index);
      else declaring.set(name, [index]);
    }
  for (const [index, { path, links }] of files.entries())
    for (const name of links.globals?.used ?? [])
      for (const other of nearest(declaring.get(name) ?? [], path, (each) => files[each]?.path ?? ''))
        connections.connect(index, other);
}

/** Disjoint sets of integers from 0 (Tarjan, JACM 1975), each known by its first. */
class Connections {
  /** Leads to the first of a set, in steps. */
  readonly #towards: Uint32Array;

  constructor(size: number) {
    this.#towards = Uint32Array.from({ length: size }, (_, index) => index);
  }

  firstOf(index: number): number {
    let at = index;
    for (let next = this.#towards[at]!; next !== at; next = this.#towards[at]!) {
      this.#towards[at] = this.#towards[next]!;
      at = next;
    }
    return at;
  }

  connect(a: number, b: number): void {
    const [first, second] = [this.firstOf(a), this.firstOf(b)];
    this.#towards[Math.max(first, second)] = Math.min(first, second);
  }
}
