import { analyse } from '@service-mcp/plugin-search/contract';
import type { Words } from './similarity.js';

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

/** The share of these words that a record has; 0 where it has fewer than half of them. */
export function shareOfWords(words: ReadonlySet<string>, { title, content }: Words): number {
  const found = new Set(analyse(`${title}\n${content}`).filter((word) => words.has(word)));
  const share = found.size / words.size;
  return share >= MIN_SHARE ? share : 0;
}
