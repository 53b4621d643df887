import type { Group } from '../../resolve/resolve-project.js';

/** Of files: some 200 bytes each. */
const MAX_FILES = 100_000;

interface Entry {
  /** Hashes of the parts, by path. */
  readonly parts: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string | undefined>;
}

/** What groups of files gave when they were resolved last. */
export class ResolvedGroups {
  /** By key; the least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #files = 0;

  /** True where the graphs of a group are those that are stored. `idOf`: see `ResolveFollower`. */
  isStored(
    { key, paths }: Group,
    idOf: (name: string) => string | undefined,
    storedHashOf: (path: string) => string | null | undefined,
  ): boolean {
    const entry = this.#entries.get(key);
    if (!entry || paths.some((path) => entry.parts.get(path) !== storedHashOf(path))) return false;
    for (const [name, id] of entry.names) if (idOf(name) !== id) return false;
    this.#add(key, entry);
    return true;
  }

  /** `hashes`: of the parts, by path. */
  add({ key, paths }: Group, names: Entry['names'], hashes: ReadonlyMap<string, string>): void {
    this.#add(key, { names, parts: new Map(paths.map((path) => [path, hashes.get(path) ?? ''])) });
    for (const [oldest, { parts }] of this.#entries) {
      if (this.#files <= MAX_FILES) return;
      this.#entries.delete(oldest);
      this.#files -= parts.size;
    }
  }

  #add(key: string, entry: Entry): void {
    this.#files += entry.parts.size - (this.#entries.get(key)?.parts.size ?? 0);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }
}
