/** Numbers for ids, shared by the graphs of a project that follow each other: ids are hashed once, not for each graph. */
export class IdTable {
  readonly #numbers = new Map<string, number>();

  /** How many ids have numbers, from 0. */
  get size(): number {
    return this.#numbers.size;
  }

  find(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  number(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#numbers.set(id, this.size);
    return this.size - 1;
  }
}
