import { eachTerm, type QueryTerms } from '../analysis/analyse.js';
import type { Span } from './matches.js';

/** The spans of the query's terms in a text, in order, merged where they overlap. */
export function termSpans(text: string, query: QueryTerms): Span[] {
  const wanted = new Set(query.terms);
  const spans: Span[] = [];
  eachTerm(text, (term, start, end, stopWord) => {
    if (!wanted.has(term) || stopWord !== query.onlyStopWords) return;
    const last = spans.at(-1);
    if (last && start < last.end) {
      if (end > last.end) spans[spans.length - 1] = { start: last.start, end };
    } else spans.push({ start, end });
  });
  return spans;
}
