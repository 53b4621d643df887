import { analyse } from '@service-mcp/plugin-search/contract';
import type { Words } from './words.js';

/** A text with fewer of the words of a query is not an answer to it. */
const MIN_SHARE = 0.5;

/** The words of a query by which texts are scored that are not in the index, without some, where it has others. */
export function wordsOfQuery(
  query: string,
  isLeftOut: (word: string) => boolean = () => false,
): ReadonlySet<string> {
  const others = analyse(query.replaceAll(/[\p{L}\p{N}_]+/gu, (word) => (isLeftOut(word) ? '' : word)));
  return new Set(others.length > 0 ? others : analyse(query));
}

/** The share of these words that a record has; 0 where it has fewer than half of them. Adds those that it has to `held`. */
export function shareOfWords(
  words: ReadonlySet<string>,
  { title, content }: Words,
  held = new Set<string>(),
): number {
  const found = new Set(analyse(`${title}\n${content}`).filter((word) => words.has(word)));
  for (const word of found) held.add(word);
  const share = found.size / words.size;
  return share >= MIN_SHARE ? share : 0;
}

/** Records that the index does not have as they are asked for. */
export interface BesideIndex {
  /** By id, by the share of the words of the query that they have. */
  readonly scores: ReadonlyMap<string, number>;
  /** Words of the query that they have, as the index has words. */
  readonly held: ReadonlySet<string>;
}

/** The words of a query that are among these, as it has them. */
export function wordsHeld(query: string, held: ReadonlySet<string>): string[] {
  if (held.size === 0) return [];
  const words = query.match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.filter((word) => analyse(word).some((term) => held.has(term)));
}
