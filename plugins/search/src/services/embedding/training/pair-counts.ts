/**
 * Weights of unordered pairs of small integers, in an open-addressed table of typed arrays: 8 bytes a slot, at most
 * `2 ** maxBits` slots. When it is full, the weakest pairs are forgotten, which bounds memory on any corpus.
 */
export class PairCounts {
  readonly #size: number;
  readonly #maxBits: number;
  #bits = 16;
  #keys = new Uint32Array(1 << 16);
  #values = new Float32Array(1 << 16);
  #used = 0;
  #floor = 0;

  /** `size` is one more than the largest integer; at most 65,535, so that a pair fits 32 bits. */
  constructor(size: number, maxBits = 23) {
    this.#size = size;
    this.#maxBits = maxBits;
  }

  add(a: number, b: number, weight: number): void {
    const key = (a < b ? a * this.#size + b : b * this.#size + a) + 1;
    if (this.#used > 0.6 * this.#keys.length) this.#makeRoom();
    const slot = this.#slot(key);
    if (this.#keys[slot] === 0) {
      this.#keys[slot] = key;
      this.#used++;
    }
    this.#values[slot] = (this.#values[slot] ?? 0) + weight;
  }

  /** Visits every pair, `a <= b`. */
  each(visit: (a: number, b: number, weight: number) => void): void {
    for (let slot = 0; slot < this.#keys.length; slot++) {
      const key = (this.#keys[slot] ?? 0) - 1;
      if (key >= 0) visit(Math.floor(key / this.#size), key % this.#size, this.#values[slot] ?? 0);
    }
  }

  #slot(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = (Math.imul(key, 0x9e3779b1) >>> (32 - this.#bits)) & mask;
    while (this.#keys[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #makeRoom(): void {
    if (this.#bits < this.#maxBits) this.#bits++;
    else this.#floor = this.#floor === 0 ? 0.5 : this.#floor * 2;
    const keys = this.#keys;
    const values = this.#values;
    this.#keys = new Uint32Array(1 << this.#bits);
    this.#values = new Float32Array(1 << this.#bits);
    this.#used = 0;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] ?? 0;
      const value = values[i] ?? 0;
      if (key === 0 || value < this.#floor) continue;
      const slot = this.#slot(key);
      this.#keys[slot] = key;
      this.#values[slot] = value;
      this.#used++;
    }
  }
}
