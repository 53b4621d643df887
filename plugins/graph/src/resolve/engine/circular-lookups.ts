/** A look-up that has begun; `depth`: how many had begun before it and have not ended. */
class Pending {
  readonly depth: number;

  constructor(depth: number) {
    this.depth = depth;
  }
}

/**
 * Look-ups that ask each other are followed this deep: the names of a re-export take two. Each takes a kilobyte of the
 * stack, and more of them would end the resolution of the project.
 */
const MAX_NESTED = 400;

/** Results of look-ups, by what was asked. */
export class Lookups<K, V> {
  readonly entries = new Map<K, V | null | Pending>();
}

/**
 * Keeps the results of look-ups that ask each other, perhaps in a circle. A look-up that is asked again before it has
 * ended gives null. What follows from such a null may be too little: it is kept until the look-up that was asked again
 * has ended, so that each is made once in a circle, and is then forgotten. One that is nested too deep gives null, too.
 */
export class CircularLookups {
  #depth = 0;
  /** The least depth of the pending look-ups that the current one has met. */
  #met = Infinity;
  readonly #provisional: Array<() => void> = [];

  find<K, V>({ entries }: Lookups<K, V>, key: K, search: () => V | null): V | null {
    const known = entries.get(key);
    if (known instanceof Pending) {
      this.#met = Math.min(this.#met, known.depth);
      return null;
    }
    if (known !== undefined) return known;
    if (this.#depth >= MAX_NESTED) return null;
    const metBefore = this.#met;
    const firstOfOwn = this.#provisional.length;
    const pending = new Pending(this.#depth);
    entries.set(key, pending);
    this.#met = Infinity;
    this.#depth += 1;
    const found = search();
    this.#depth -= 1;
    entries.set(key, found);
    if (this.#met < pending.depth) {
      this.#provisional.push(() => entries.delete(key));
      this.#met = Math.min(metBefore, this.#met);
    } else {
      for (const forget of this.#provisional.splice(firstOfOwn)) forget();
      this.#met = metBefore;
    }
    return found;
  }
}
