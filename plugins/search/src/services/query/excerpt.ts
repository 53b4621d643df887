import type { SearchResult } from '../../schemas.js';
import { analyseQuery } from '../analysis/analyse.js';
import { LineMap } from '../chunking/line-map.js';
import { termSpans } from './hydrate.js';
import { excerptOf } from './result.js';

export type Excerpt = Pick<SearchResult, 'content' | 'truncated' | 'highlights'>;

/** The part of a whole text that a result shows: at most `maxChars` code units around the first term of a query. */
export function excerpt(text: string, query: string, maxChars: number): Excerpt {
  const endLine = new LineMap(text).count;
  const spans = termSpans(text, analyseQuery(query), new Set());
  const shown = excerptOf({ text, line: 1, column: 1, endLine }, spans, maxChars);
  const { content, truncated, highlights } = shown;
  return { content, truncated, highlights };
}
