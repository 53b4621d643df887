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

/** The regions of a document: how many it has, and those that were asked for. */
export interface Regions {
  readonly total: number;
  readonly regions: readonly Region[];
}

/** A match with the lines that it begins and ends on. */
interface Placed {
  readonly span: Span;
  readonly first: Line;
  readonly last: Line;
}

/**
 * Groups the matches of a document: near ones share a region as long as their lines fit `maxChars` code units, so that
 * every match is shown. `contextLines` are added around each region. Of the regions from `skip` on, `take` are made.
 */
export function regionsOf(
  text: string,
  spans: Iterable<Span>,
  {
    maxChars,
    contextLines,
    skip,
    take,
  }: Readonly<Record<'maxChars' | 'contextLines' | 'skip' | 'take', number>>,
): Regions {
  const regions: Region[] = [];
  let total = 0;
  let lines: LineMap | undefined;
  for (const group of groupsOf(text, spans, maxChars)) {
    if (total >= skip && regions.length < take)
      regions.push(regionOf(text, (lines ??= new LineMap(text)), group, contextLines));
    total++;
  }
  return { total, regions };
}

function* groupsOf(text: string, spans: Iterable<Span>, maxChars: number): Generator<readonly Span[]> {
  const at = new LineCursor(text);
  let group: Span[] = [];
  let first: Placed | undefined;
  let last: Placed | undefined;
  for (const span of spans) {
    const next = { span, first: at.lineOf(span.start), last: at.lineOf(span.end - 1) };
    if (!first || !last || group.length >= MAX_SPANS || !joins(first, last, next, maxChars)) {
      if (first) yield group;
      group = [];
      first = next;
    }
    last = next;
    group.push(span);
  }
  if (first) yield group;
}

function joins(first: Placed, last: Placed, next: Placed, maxChars: number): boolean {
  const gap = next.first.number - last.last.number - 1;
  if (next.last.end - first.first.start <= maxChars) return gap <= LINES_BETWEEN;
  // An over-long line: its matches share a result if they fit one excerpt.
  return gap < 0 && next.span.end - first.span.start <= maxChars / 2;
}

function regionOf(text: string, lines: LineMap, group: readonly Span[], contextLines: number): Region {
  const first = group[0] ?? { start: 0, end: 0 };
  const last = group.at(-1) ?? first;
  const line = Math.max(1, lines.lineOf(first.start) - contextLines);
  const endLine = Math.min(lines.count, lines.lineOf(last.end - 1) + contextLines);
  const start = lines.startOfLine(line);
  const end = lines.endOfLine(endLine);
  const inside = group.map((span) => ({ start: span.start - start, end: span.end - start }));
  const focus = { start: first.start - start, end: last.end - start };
  return { text: text.slice(start, end), line, column: 1, endLine, start, spans: inside, focus };
}

/** A line: its number from 1, and its range, which ends behind its `\n`. */
interface Line {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** The lines of ascending offsets, read as far as they are asked for. */
class LineCursor {
  readonly #text: string;
  #line: Line;

  constructor(text: string) {
    this.#text = text;
    this.#line = { number: 1, start: 0, end: this.#endOf(0) };
  }

  lineOf(offset: number): Line {
    let { number, start, end } = this.#line;
    if (offset < end) return this.#line;
    for (; offset >= end && end < this.#text.length; number++) {
      start = end;
      end = this.#endOf(start);
    }
    return (this.#line = { number, start, end });
  }

  #endOf(start: number): number {
    const feed = this.#text.indexOf('\n', start);
    return feed === -1 ? this.#text.length : feed + 1;
  }
}
