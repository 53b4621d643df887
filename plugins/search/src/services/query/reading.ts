/** A match: UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text that an expression sees, and where its characters are in the stored text. */
interface Reading {
  readonly text: string;
  /** 1 where a byte order mark was left out at the start. */
  readonly shift: number;
  /** Offsets in `text` of each `\n` that is `\r\n` in the stored text, in order. */
  readonly feeds: readonly number[];
}

const MARK = 0xfeff;
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

/** Characters that a reading leaves out. */
export const HIDDEN: ReadonlySet<number> = new Set([MARK, CARRIAGE_RETURN]);

/**
 * The text without its byte order mark and, if `lineEnds`, with `\n` for each `\r\n`, so that `^`, `$` and `\n` mean the
 * same in every file. Undefined where that is the stored text.
 */
export function readingOf(stored: string, lineEnds: boolean): Reading | undefined {
  const shift = stored.charCodeAt(0) === MARK ? 1 : 0;
  if (!lineEnds || !stored.includes('\r\n')) {
    return shift === 0 ? undefined : { text: stored.slice(1), shift, feeds: [] };
  }
  const text = stored.slice(shift).replaceAll('\r\n', '\n');
  const feeds = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    const place = at + shift + feeds.length;
    if (stored.charCodeAt(place) !== LINE_FEED) feeds.push(at);
  }
  return { text, shift, feeds };
}

/** Spans of a reading as spans of the stored text; a line feed has its carriage return with it. */
export function* storedSpans({ shift, feeds }: Reading, spans: Iterable<Span>): Generator<Span> {
  let before = 0;
  const place = (offset: number): number => {
    while ((feeds[before] ?? Infinity) < offset) before++;
    return offset + shift + before;
  };
  for (const { start, end } of spans) yield { start: place(start), end: place(end) };
}

/** Spans of two sources in order; of two that overlap, the first, or the longer of those that begin together. */
export function* mergeSpans(some: Iterator<Span>, others: Iterator<Span>): Generator<Span> {
  let a = some.next();
  let b = others.next();
  let done = 0;
  while (!a.done || !b.done) {
    const isFirst = b.done || (!a.done && isBefore(a.value, b.value));
    const span = (isFirst ? a.value : b.value) as Span; // the other one may be done, this one is not
    if (isFirst) a = some.next();
    else b = others.next();
    if (span.start < done) continue;
    yield span;
    done = span.end;
  }
}

function isBefore(a: Span, b: Span): boolean {
  return a.start < b.start || (a.start === b.start && a.end >= b.end);
}
