/** A text as its distinct terms, each with the weight that it has in the embedding. */
export interface TermBag {
  readonly ids: Uint32Array;
  readonly weights: Float32Array;
}

/** `weights` by term, as in the model; a repeated term counts as in `TermEmbedder.embed`. */
export function bagOf(terms: Uint32Array, weights: Float32Array): TermBag {
  const counts = new Map<number, number>();
  for (const id of terms) counts.set(id, (counts.get(id) ?? 0) + 1);
  const ids = Uint32Array.from(counts.keys());
  return { ids, weights: Float32Array.from(ids, (id) => weights[id]! * (1 + Math.log(counts.get(id)!))) };
}

/** More than a text has distinct terms. */
const BLOCK = 1 << 18;

/** Many bags in few arrays: an array for each takes as much memory again as what it holds. */
export class TermBags {
  readonly #blocks: TermBag[] = [];
  /** Where each bag begins, counted over all blocks. */
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  #end = 0;

  get size(): number {
    return this.#starts.length;
  }

  add({ ids, weights }: TermBag): void {
    const room = this.#blocks.length * BLOCK - this.#end;
    if (ids.length > room) {
      this.#end += room;
      this.#blocks.push({ ids: new Uint32Array(BLOCK), weights: new Float32Array(BLOCK) });
    }
    const block = this.#blocks[Math.floor(this.#end / BLOCK)]!;
    block.ids.set(ids, this.#end % BLOCK);
    block.weights.set(weights, this.#end % BLOCK);
    this.#starts.push(this.#end);
    this.#lengths.push(ids.length);
    this.#end += ids.length;
  }

  /** A view of the bag that was added as number `index`, from 0. */
  get(index: number): TermBag {
    const start = this.#starts[index]!;
    const { ids, weights } = this.#blocks[Math.floor(start / BLOCK)]!;
    const [from, to] = [start % BLOCK, (start % BLOCK) + this.#lengths[index]!];
    return { ids: ids.subarray(from, to), weights: weights.subarray(from, to) };
  }
}
