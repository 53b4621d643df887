import { addScaled, dot } from './rows.js';

/** By measurement on CoSQA and LoCoMo; a higher one separates less. */
const TEMPERATURE = 0.06;
/** Share of a full pull below which a pair of texts is skipped: most are, after the first epoch. */
const NEGLIGIBLE = 1e-4;

/** Rows of `width` for the texts of a batch. */
export interface Side {
  readonly embeddings: Float32Array;
  readonly gradients: Float32Array;
}

/**
 * InfoNCE in both directions (van den Oord and others, 2018): each text must be nearer to its partner than to the
 * partners of the others in its batch. Writes the gradients of the first `size` embeddings; returns the mean loss.
 */
export function contrastiveLoss(left: Side, right: Side, size: number, width: number): number {
  const logits = new Float32Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      logits[i * size + j] =
        dot(left.embeddings, i * width, right.embeddings, j * width, width) / TEMPERATURE;
    }
  }
  const pulls = new Float32Array(size * size);
  let loss = 0;
  for (let i = 0; i < size; i++) {
    loss += addSoftmax(logits, pulls, { start: i * size, step: 1, size, target: i });
    loss += addSoftmax(logits, pulls, { start: i, step: size, size, target: i });
  }
  addGradients(left, right, pulls, size, width);
  return loss / (2 * size);
}

/** Adds the gradient of the cross-entropy of one row or column of logits to `pulls`; returns the cross-entropy. */
function addSoftmax(
  logits: Float32Array,
  pulls: Float32Array,
  line: { readonly start: number; readonly step: number; readonly size: number; readonly target: number },
): number {
  const { start, step, size } = line;
  const end = start + step * size;
  const target = start + step * line.target;
  let highest = -Infinity;
  for (let at = start; at < end; at += step) highest = Math.max(highest, logits[at]!);
  let sum = 0;
  for (let at = start; at < end; at += step) sum += Math.exp(logits[at]! - highest);
  for (let at = start; at < end; at += step) pulls[at]! += Math.exp(logits[at]! - highest) / sum;
  pulls[target]! -= 1;
  return Math.log(sum) + highest - logits[target]!;
}

function addGradients(left: Side, right: Side, pulls: Float32Array, size: number, width: number): void {
  left.gradients.fill(0);
  right.gradients.fill(0);
  const scale = 1 / (2 * size * TEMPERATURE);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      const pull = pulls[i * size + j]!;
      if (Math.abs(pull) < NEGLIGIBLE) continue;
      addScaled(left.gradients, i * width, right.embeddings, j * width, pull * scale, width);
      addScaled(right.gradients, j * width, left.embeddings, i * width, pull * scale, width);
    }
  }
}
