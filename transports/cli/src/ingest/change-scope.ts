/**
 * Paths of a folder that may have changed, each with everything below it. Paths are relative and `/`-separated; the
 * empty one is the whole folder.
 */
export class ChangeScope {
  readonly #paths = new Set<string>();
  /** Folders that contain one of the paths: a walk has to pass through them. */
  readonly #above = new Set<string>();

  static whole(): ChangeScope {
    return new ChangeScope().add('');
  }

  add(path: string): this {
    this.#paths.add(path);
    for (let at = parent(path); at !== undefined; at = parent(at)) this.#above.add(at);
    return this;
  }

  get size(): number {
    return this.#paths.size;
  }

  get isWhole(): boolean {
    return this.#paths.has('');
  }

  /** Whether a walk has to visit a path. A folder ends with `/`. */
  includes(path: string): boolean {
    if (path.endsWith('/')) {
      const folder = path.slice(0, -1);
      return this.#above.has(folder) || this.includes(folder);
    }
    for (let at: string | undefined = path; at !== undefined; at = parent(at)) {
      if (this.#paths.has(at)) return true;
    }
    return false;
  }
}

/** The folder of a path; that of a name is the empty path, which has none. */
function parent(path: string): string | undefined {
  if (path === '') return undefined;
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
