/** Numbers for ids. Successive graphs of a project share a table, so that each id is hashed once. */
export class IdTable {
  readonly #numbers = new Map<string, number>();
  readonly #ids: string[] = [];

  /** How many ids have numbers, from 0. */
  get size(): number {
    return this.#ids.length;
  }

  find(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  number(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#numbers.set(id, this.size);
    return this.#ids.push(id) - 1;
  }

  /** Numbers of another table for the same ids. */
  translate(numbers: Int32Array, to: IdTable): Int32Array {
    return numbers.map((number) => to.number(this.#ids[number]!));
  }
}
