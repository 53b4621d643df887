import { LineMap } from '../chunking/line-map.js';
import type { Span } from './reading.js';
import type { Stretch } from './result.js';

/** A part of a document with matches: one result. */
export interface Region extends Stretch {
  /** Offset of `text` in the document. */
  readonly start: number;
  /** Offsets inside `text`. */
  readonly spans: readonly Span[];
}

/** Matches with at most this many lines between them are one region. */
const LINES_BETWEEN = 3;
const MAX_SPANS = 200;

/**
 * Groups the matches of a document: near ones share a region as long as their lines fit `maxChars` code units, so that
 * every match is shown. `contextLines` are added around each region.
 */
export function regionsOf(
  text: string,
  spans: Iterable<Span>,
  maxChars: number,
  contextLines: number,
): Region[] {
  const lines = new LineMap(text);
  const regions: Region[] = [];
  let group: Span[] = [];
  const close = () => {
    const first = group[0];
    const last = group.at(-1);
    if (!first || !last) return;
    const line = Math.max(1, lines.lineOf(first.start) - contextLines);
    const endLine = Math.min(lines.count, lines.lineOf(last.end - 1) + contextLines);
    const start = lines.startOfLine(line);
    const end = lines.endOfLine(endLine);
    const inside = group.map((span) => ({ start: span.start - start, end: span.end - start }));
    const focus = { start: first.start - start, end: last.end - start };
    regions.push({ text: text.slice(start, end), line, column: 1, endLine, start, spans: inside, focus });
  };
  for (const span of spans) {
    const first = group[0];
    const last = group.at(-1);
    if (first && last && (group.length >= MAX_SPANS || !joins(first, last, span))) {
      close();
      group = [];
    }
    group.push(span);
  }
  close();
  return regions;

  function joins(first: Span, last: Span, next: Span): boolean {
    const from = lines.startOfLine(lines.lineOf(first.start));
    const to = lines.endOfLine(lines.lineOf(next.end - 1));
    const gap = lines.lineOf(next.start) - lines.lineOf(last.end - 1) - 1;
    if (to - from <= maxChars) return gap <= LINES_BETWEEN;
    // An over-long line: its matches share a result if they fit one excerpt.
    return gap < 0 && next.end - first.start <= maxChars / 2;
  }
}
