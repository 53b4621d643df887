import type { SearchResult } from '../../schemas.js';
import { analyseQuery } from '../analysis/analyse.js';
import { LineMap } from '../chunking/line-map.js';
import { termMatches, type TermSpan } from './hydrate.js';
import type { Span } from './reading.js';
import { excerptOf } from './result.js';

export type Excerpt = Pick<SearchResult, 'content' | 'truncated' | 'highlights'>;

/** The part of a whole text that a result shows: at most `maxChars` code units, those that say most of a query. */
export function excerpt(text: string, query: string, maxChars: number): Excerpt {
  const lines = new LineMap(text);
  const spans = termMatches(text, analyseQuery(query));
  const focus = text.length > maxChars ? densest(spans, lines, maxChars) : undefined;
  const shown = excerptOf({ text, line: 1, column: 1, endLine: lines.count, focus }, spans, maxChars);
  const { content, truncated, highlights } = shown;
  return { content, truncated, highlights };
}

/**
 * The first stretch of at most `maxChars` code units, in whole lines, with the most of the terms. A term counts once, and
 * for less the more often the text has it: a word of each section does not say which one is asked for.
 */
function densest(spans: readonly TermSpan[], lines: LineMap, maxChars: number): Span | undefined {
  const total = new Map<string, number>();
  for (const { term } of spans) total.set(term, (total.get(term) ?? 0) + 1);
  const inside = new Map<string, number>();
  let [first, weight] = [0, 0];
  let best: { readonly span: Span; readonly weight: number } | undefined;
  /** The line of a span, or the span alone where the line is too long. */
  const whole = ({ start, end }: Span): Span => {
    const line = lines.lineOf(start);
    const [from, to] = [lines.startOfLine(line), lines.endOfLine(line)];
    return to - from > maxChars ? { start, end } : { start: from, end: to };
  };
  for (const span of spans) {
    const { term, end } = span;
    const last = whole(span).end;
    const before = inside.get(term) ?? 0;
    inside.set(term, before + 1);
    if (before === 0) weight += 1 / (total.get(term) ?? 1);
    // Without the terms in front that are too far away, or that come again.
    for (let left = spans[first]; left; left = spans[++first]) {
      const times = inside.get(left.term) ?? 0;
      if (whole(left).start + maxChars >= last && times === 1) break;
      inside.set(left.term, times - 1);
      if (times === 1) weight -= 1 / (total.get(left.term) ?? 1);
    }
    const start = spans[first]?.start;
    if (start !== undefined && weight > (best?.weight ?? 0) + TOLERANCE)
      best = { span: { start, end }, weight };
  }
  return best?.span;
}

/** Below any weight of a term, above what adding and taking away leaves of one. */
const TOLERANCE = 1e-9;
