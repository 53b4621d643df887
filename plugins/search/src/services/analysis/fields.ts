import { analyse, stopWordsOf } from './analyse.js';

/**
 * Weights of the fields of a chunk. A term of a field counts as often as the field weighs, in one bag: the simple
 * form of BM25F (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", CIKM 2004).
 */
const FIELD_WEIGHTS = { symbol: 3, title: 2, path: 1, tags: 2 } as const;

export interface Fields {
  readonly text: string;
  readonly title: string;
  readonly path: string;
  readonly symbols: readonly string[];
  readonly tags: readonly string[];
}

/** The two searchable columns of a chunk: weighted terms, and its distinct stop words. */
export function searchColumns(fields: Fields): { terms: string; stops: string } {
  const terms = analyse(fields.text);
  const add = (text: string, weight: number) => {
    const more = analyse(text);
    for (let i = 0; i < weight; i++) terms.push(...more);
  };
  add(fields.symbols.join(' '), FIELD_WEIGHTS.symbol);
  if (!fields.symbols.includes(fields.title)) add(fields.title, FIELD_WEIGHTS.title);
  add(fields.path, FIELD_WEIGHTS.path);
  add(fields.tags.join(' '), FIELD_WEIGHTS.tags);
  return { terms: terms.join(' '), stops: stopWordsOf(fields.text).join(' ') };
}
