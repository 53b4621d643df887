import { addScaled, dot } from './rows.js';

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

/** Adds the embedding of a bag, of length 1, to the row of `out` at `at`. Returns the length before. */
export function embedBag(
  bag: TermBag,
  rows: Float32Array,
  out: Float32Array,
  at: number,
  width: number,
): number {
  for (let i = 0; i < bag.ids.length; i++)
    addScaled(out, at, rows, bag.ids[i]! * width, bag.weights[i]!, width);
  const length = Math.sqrt(dot(out, at, out, at, width)) + 1e-12;
  for (let k = at; k < at + width; k++) out[k]! /= length;
  return length;
}

/** Adds the gradients of the rows of a bag, given those of its embedding (both at `at`) and what `embedBag` returned. */
export function addRowGradients(
  bag: TermBag,
  side: { readonly embeddings: Float32Array; readonly gradients: Float32Array },
  at: number,
  length: number,
  rowGradients: Float32Array,
  width: number,
): void {
  const { embeddings, gradients } = side;
  const along = dot(embeddings, at, gradients, at, width);
  for (let i = 0; i < bag.ids.length; i++) {
    const weight = bag.weights[i]! / length;
    const row = bag.ids[i]! * width;
    addScaled(rowGradients, row, gradients, at, weight, width);
    addScaled(rowGradients, row, embeddings, at, -weight * along, width);
  }
}
