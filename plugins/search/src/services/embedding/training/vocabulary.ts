import { analyse } from '../../analysis/analyse.js';

/** The terms that an embedder learns, those in most texts first. */
export interface Vocabulary {
  readonly terms: readonly string[];
  /** In how many texts each term is. */
  readonly frequencies: readonly number[];
  /** The texts that it was made from, encoded. */
  readonly encoded: readonly Uint32Array[];
  /** The ids (indexes in `terms`) of the known terms of a text, in order, with repeats. */
  readonly encode: (text: string) => Uint32Array;
}

/** Every term of the texts, up to `maxTerms`. */
export function createVocabulary(texts: Iterable<string>, maxTerms: number): Vocabulary {
  /** Terms by their number, in order of their first occurrence. */
  const numbers = new Map<string, number>();
  const frequencies: number[] = [];
  /** By number, the last text that has the term. */
  const lastTexts: number[] = [];
  const numbered: Uint32Array[] = [];
  for (const text of texts) {
    const at = numbered.length;
    const encoded = Uint32Array.from(analyse(text), (term) => {
      const number = numbers.get(term) ?? numbers.size;
      if (number === numbers.size) numbers.set(term, number);
      if (lastTexts[number] !== at) frequencies[number] = (frequencies[number] ?? 0) + 1;
      lastTexts[number] = at;
      return number;
    });
    numbered.push(encoded);
  }
  const kept = [...numbers]
    .sort(([a, x], [b, y]) => frequencies[y]! - frequencies[x]! || (a < b ? -1 : 1))
    .slice(0, maxTerms);
  const ids = new Map(kept.map(([term], id) => [term, id]));
  const idsByNumber = new Map(kept.map(([, number], id) => [number, id]));
  return {
    terms: kept.map(([term]) => term),
    frequencies: kept.map(([, number]) => frequencies[number]!),
    encoded: numbered.map((text) =>
      Uint32Array.from(Array.from(text).flatMap((number) => idsByNumber.get(number) ?? [])),
    ),
    encode: (text) => Uint32Array.from(analyse(text).flatMap((term) => ids.get(term) ?? [])),
  };
}
