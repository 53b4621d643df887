/** Sets of ids that grow together. */
export class UnionFind {
  readonly #parents = new Map<string, string>();

  #root(id: string): string {
    let root = id;
    for (let up = this.#parents.get(root); up !== undefined && up !== root; up = this.#parents.get(root))
      root = up;
    for (let at = id; at !== root;) {
      const up = this.#parents.get(at) ?? root;
      this.#parents.set(at, root);
      at = up;
    }
    return root;
  }

  join(a: string, b: string): void {
    const [first, second] = [this.#root(a), this.#root(b)].sort() as [string, string];
    this.#parents.set(first, first);
    this.#parents.set(second, first);
  }

  areJoined(a: string, b: string): boolean {
    return this.#root(a) === this.#root(b);
  }

  /** The sets, each in order of id, which is that of time. */
  sets(): string[][] {
    const sets = new Map<string, string[]>();
    for (const id of [...this.#parents.keys()].sort()) {
      const root = this.#root(id);
      const set = sets.get(root);
      if (set) set.push(id);
      else sets.set(root, [id]);
    }
    return [...sets.values()];
  }
}
