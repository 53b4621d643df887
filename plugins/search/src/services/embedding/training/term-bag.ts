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
