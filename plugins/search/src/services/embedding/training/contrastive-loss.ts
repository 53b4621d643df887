import type { Floats, Kernels } from './kernels.js';

/** By measurement on CoSQA and LoCoMo; a higher one separates less. */
const TEMPERATURE = 0.06;
/** Share of a full pull below which a pair of texts is skipped: most are, after the first epoch. */
const NEGLIGIBLE = 1e-4;
/** The logarithm of a share of the highest logit that no 32-bit float of a sum shows. */
const INVISIBLE = -18;

/** Rows for the texts of a batch, and the gradients of the loss by them. */
export interface Side {
  readonly embeddings: readonly Floats[];
  readonly gradients: readonly Floats[];
  /** All rows of either in one. */
  readonly tables: { readonly embeddings: Floats; readonly gradients: Floats };
}

/**
 * InfoNCE in both directions (van den Oord and others, 2018): each text must be nearer to its partner than to the
 * partners of the others in its batch. Adds to the gradients of the first `size` embeddings; returns the mean loss.
 */
export class ContrastiveLoss {
  readonly #kernels: Kernels;
  readonly #row: Floats;
  readonly #logits: Float32Array;
  readonly #pulls: Float32Array;
  readonly #shares: Float32Array;

  /** `largest`: the most texts of a batch. Makes an array of so many floats in the kernels. */
  constructor(kernels: Kernels, largest: number) {
    this.#kernels = kernels;
    this.#row = kernels.floats(largest);
    this.#logits = new Float32Array(largest * largest);
    this.#pulls = new Float32Array(largest * largest);
    this.#shares = new Float32Array(largest);
  }

  add(left: Side, right: Side, size: number): number {
    const logits = this.#logits.subarray(0, size * size);
    const products = this.#row.subarray(0, size);
    for (let i = 0; i < size; i++) {
      this.#kernels.products(products, left.embeddings[i]!, right.tables.embeddings);
      for (let j = 0; j < size; j++) logits[i * size + j] = products[j]! / TEMPERATURE;
    }
    this.#pulls.fill(0);
    let loss = 0;
    for (let i = 0; i < size; i++) {
      loss += this.#addSoftmax(size, i * size, 1, i);
      loss += this.#addSoftmax(size, i, size, i);
    }
    this.#addGradients(left, right, size);
    return loss / (2 * size);
  }

  /**
   * Adds the gradient of the cross-entropy of one row (`step` 1) or column of logits to the pulls; returns the
   * cross-entropy.
   */
  #addSoftmax(size: number, start: number, step: number, target: number): number {
    const logits = this.#logits;
    const pulls = this.#pulls;
    const shares = this.#shares;
    let highest = -Infinity;
    for (let k = 0; k < size; k++) highest = Math.max(highest, logits[start + k * step]!);
    let sum = 0;
    for (let k = 0; k < size; k++) {
      const below = logits[start + k * step]! - highest;
      sum += shares[k] = below < INVISIBLE ? 0 : Math.exp(below);
    }
    for (let k = 0; k < size; k++) pulls[start + k * step]! += shares[k]! / sum;
    pulls[start + target * step]! -= 1;
    return Math.log(sum) + highest - logits[start + target * step]!;
  }

  #addGradients(left: Side, right: Side, size: number): void {
    const scale = 1 / (2 * size * TEMPERATURE);
    const partners: number[] = [];
    const weights: number[] = [];
    for (let i = 0; i < size; i++) {
      partners.length = weights.length = 0;
      for (let j = 0; j < size; j++) {
        const pull = this.#pulls[i * size + j]!;
        if (Math.abs(pull) < NEGLIGIBLE) continue;
        partners.push(j);
        weights.push(pull * scale);
      }
      this.#kernels.combine(left.gradients[i]!, right.tables.embeddings, partners, weights);
      this.#kernels.spread(right.tables.gradients, partners, weights, left.embeddings[i]!);
    }
  }
}
