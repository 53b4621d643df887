import { Adam } from './adam.js';
import { randomFrom, shuffle } from './random.js';
import { RowGradients, type BagPair } from './row-gradients.js';
import type { TermBags } from './term-bag.js';

const BATCH = 256;
/** Falls in a line to zero over the training. */
const RATE = 0.004;
const EPOCHS = 10;
/** A small corpus has few steps in an epoch: 10 epochs of 50 chunks lose 5 points of nDCG. */
const MIN_STEPS = 200;

/** Moves the rows of terms, in place, so that the texts of a pair come to lie near each other. */
export function tune(
  rows: Float32Array,
  width: number,
  pairs: { readonly left: TermBags; readonly right: TermBags },
): void {
  const { left, right } = pairs;
  const { size } = left;
  if (size === 0) return;
  const tuned = new RowGradients(rows, width, BATCH, [rows.length, rows.length]);
  const adam = new Adam(tuned.kernels, tuned.rows, tuned.gradients, width);
  const random = randomFrom(size);
  const order = Uint32Array.from({ length: size }, (_, i) => i);
  const touched = new TouchedTerms(rows.length / width);
  const steps = Math.max(EPOCHS * Math.ceil(size / BATCH), MIN_STEPS);
  for (let step = 0; step < steps;) {
    shuffle(order, random);
    for (let at = 0; at < order.length && step < steps; at += BATCH) {
      const batch = Array.from(order.subarray(at, at + BATCH), (i) => ({
        left: left.get(i),
        right: right.get(i),
      }));
      tuned.add(batch);
      adam.step(touched.of(batch), RATE * (1 - step++ / steps));
    }
  }
  rows.set(tuned.rows);
}

/** The distinct terms of a batch. */
class TouchedTerms {
  /** By term, the last batch that has it. */
  readonly #batches: Uint32Array;
  #batch = 0;

  constructor(terms: number) {
    this.#batches = new Uint32Array(terms);
  }

  of(batch: readonly BagPair[]): Uint32Array {
    this.#batch += 1;
    const terms: number[] = [];
    for (const { left, right } of batch) {
      for (const { ids } of [left, right]) {
        for (const id of ids) {
          if (this.#batches[id] === this.#batch) continue;
          this.#batches[id] = this.#batch;
          terms.push(id);
        }
      }
    }
    return Uint32Array.from(terms);
  }
}
