import { Adam } from './adam.js';
import { contrastiveLoss, type Side } from './contrastive-loss.js';
import { randomFrom, shuffle } from './random.js';
import { addRowGradients, embedBag, type TermBag } from './term-bag.js';

export interface BagPair {
  readonly left: TermBag;
  readonly right: TermBag;
}

const BATCH = 256;
/** Falls in a line to zero over the training. */
const RATE = 0.004;
const EPOCHS = 10;
/** A small corpus has few steps in an epoch: 10 epochs of 50 chunks lose 5 points of nDCG. */
const MIN_STEPS = 200;

/** Moves the rows of terms, in place, so that the texts of a pair come to lie near each other. */
export function tune(rows: Float32Array, width: number, pairs: readonly BagPair[]): void {
  const adam = new Adam(rows, width);
  const random = randomFrom(pairs.length);
  const order = Uint32Array.from(pairs.keys());
  const perEpoch = Math.ceil(pairs.length / BATCH);
  const steps = pairs.length === 0 ? 0 : Math.max(EPOCHS * perEpoch, MIN_STEPS);
  for (let step = 0; step < steps;) {
    shuffle(order, random);
    for (let at = 0; at < order.length && step < steps; at += BATCH) {
      const batch = Array.from(order.subarray(at, at + BATCH), (i) => pairs[i]!);
      batchGradients(rows, width, batch, adam.gradients);
      adam.step(termsOf(batch), RATE * (1 - step++ / steps));
    }
  }
}

/** Adds the gradients of the rows for one batch to `rowGradients`; returns the loss of the batch. */
export function batchGradients(
  rows: Float32Array,
  width: number,
  batch: readonly BagPair[],
  rowGradients: Float32Array,
): number {
  const left = embedSide(
    batch.map((pair) => pair.left),
    rows,
    width,
  );
  const right = embedSide(
    batch.map((pair) => pair.right),
    rows,
    width,
  );
  const loss = contrastiveLoss(left, right, batch.length, width);
  for (const side of [left, right]) {
    side.bags.forEach((bag, i) =>
      addRowGradients(bag, side, i * width, side.lengths[i]!, rowGradients, width),
    );
  }
  return loss;
}

function embedSide(bags: readonly TermBag[], rows: Float32Array, width: number) {
  const embeddings = new Float32Array(bags.length * width);
  const lengths = bags.map((bag, i) => embedBag(bag, rows, embeddings, i * width, width));
  const side: Side = { embeddings, gradients: new Float32Array(embeddings.length) };
  return { bags, lengths, ...side };
}

function termsOf(batch: readonly BagPair[]): Set<number> {
  const terms = new Set<number>();
  for (const { left, right } of batch) {
    for (const id of left.ids) terms.add(id);
    for (const id of right.ids) terms.add(id);
  }
  return terms;
}
