/** Declarations with longer ones are dropped: only hostile texts have them, and each carries those of all around it. */
export const MAX_QUALIFIED_NAME = 1000;

/** Makes the qualified names of a file unique: repeats get `~2`, `~3` in source order. */
export class QualifiedNames {
  readonly #counts = new Map<string, number>();
  readonly #taken = new Set<string>();

  claim(name: string): string {
    let count = this.#counts.get(name) ?? 0;
    let unique: string;
    do {
      count += 1;
      unique = count === 1 ? name : `${name}~${count}`;
    } while (this.#taken.has(unique));
    this.#counts.set(name, count);
    this.#taken.add(unique);
    return unique;
  }
}
