import { analyse } from '../../analysis/analyse.js';

/** The terms that an embedder learns, those in most texts first. */
export interface Vocabulary {
  readonly terms: readonly string[];
  /** In how many texts each term is. */
  readonly frequencies: readonly number[];
  /** The ids (indexes in `terms`) of the known terms of a text, in order, with repeats. */
  readonly encode: (text: string) => Uint32Array;
}

/** Every term of the texts, up to `maxTerms`. */
export function createVocabulary(texts: readonly string[], maxTerms: number): Vocabulary {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const term of new Set(analyse(text))) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const kept = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, maxTerms);
  const ids = new Map(kept.map(([term], id) => [term, id]));
  return {
    terms: kept.map(([term]) => term),
    frequencies: kept.map(([, count]) => count),
    encode: (text) => Uint32Array.from(analyse(text).flatMap((term) => ids.get(term) ?? [])),
  };
}
