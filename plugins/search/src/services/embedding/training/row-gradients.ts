import { ContrastiveLoss, type Side } from './contrastive-loss.js';
import { Kernels, type Floats } from './kernels.js';
import type { TermBag } from './term-bag.js';

/** Two texts that belong together. */
export interface BagPair {
  readonly left: TermBag;
  readonly right: TermBag;
}

/** The rows of terms, and the gradients of the loss of a batch by them. */
export class RowGradients {
  readonly kernels: Kernels;
  /** A copy: they are changed here. */
  readonly rows: Floats;
  /** To be cleared between batches. */
  readonly gradients: Floats;
  readonly #sides: readonly [Side, Side];
  readonly #loss: ContrastiveLoss;

  /**
   * `largest`: the most pairs of a batch. `more`: the lengths of arrays that others will make in the kernels.
   */
  constructor(rows: Float32Array, width: number, largest: number, more: readonly number[] = []) {
    const side = largest * width;
    this.kernels = new Kernels([rows.length, rows.length, side, side, side, side, largest, ...more]);
    this.rows = this.kernels.floats(rows.length);
    this.rows.set(rows);
    this.gradients = this.kernels.floats(rows.length);
    this.#sides = [this.#makeSide(side, width), this.#makeSide(side, width)];
    this.#loss = new ContrastiveLoss(this.kernels, largest);
  }

  /** Adds the gradients for one batch; returns its loss. */
  add(batch: readonly BagPair[]): number {
    const [left, right] = this.#sides;
    const leftLengths = batch.map((pair, i) => this.#embed(pair.left, left, i));
    const rightLengths = batch.map((pair, i) => this.#embed(pair.right, right, i));
    const loss = this.#loss.add(left, right, batch.length);
    batch.forEach((pair, i) => {
      this.#spread(pair.left, left, i, leftLengths[i]!);
      this.#spread(pair.right, right, i, rightLengths[i]!);
    });
    return loss;
  }

  #makeSide(length: number, width: number): Side {
    const tables = { embeddings: this.kernels.floats(length), gradients: this.kernels.floats(length) };
    const rowsOf = (table: Floats) =>
      Array.from({ length: length / width }, (_, i) => table.subarray(i * width, (i + 1) * width));
    return { embeddings: rowsOf(tables.embeddings), gradients: rowsOf(tables.gradients), tables };
  }

  /** Writes the embedding of a text, of length 1, and clears its gradient. Returns the length before. */
  #embed({ ids, weights }: TermBag, { embeddings, gradients }: Side, i: number): number {
    const embedding = embeddings[i]!;
    embedding.fill(0);
    gradients[i]!.fill(0);
    this.kernels.combine(embedding, this.rows, ids, weights);
    const length = Math.sqrt(dot(embedding, embedding)) + 1e-12;
    for (let k = 0; k < embedding.length; k++) embedding[k]! /= length;
    return length;
  }

  /** Adds the gradients of the rows of a text, given that of its embedding, which it changes. */
  #spread({ ids, weights }: TermBag, { embeddings, gradients }: Side, i: number, length: number): void {
    const [embedding, gradient] = [embeddings[i]!, gradients[i]!];
    const along = dot(embedding, gradient);
    for (let k = 0; k < gradient.length; k++) gradient[k] = (gradient[k]! - along * embedding[k]!) / length;
    this.kernels.spread(this.gradients, ids, weights, gradient);
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}
