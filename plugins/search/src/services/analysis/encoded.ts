/** What stands between the lines of one value: line ends, also escaped, blanks, quotes and signs of a diff. */
const BETWEEN = /^(?:\\[nr]|[\s"',;|\\])*$/;
/** A run of digits of base64, which hexadecimal ones are too, is longer than words and most paths are. */
const MIN_RUN = 60;
/** In as many characters: paths and names have others. */
const MIN_DIGITS = 3;
const MAX_SLASHES = 5;
/** A shorter value is a hash or a key, which people look for. */
const MIN_LENGTH = 160;

/** A text of the same length with blanks in place of encoded data: images in notebooks and styles, certificates, maps. */
export function withoutEncoded(text: string): string {
  let kept = '';
  let at = 0;
  for (const { start, end } of encodedRanges(text)) {
    kept += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return at === 0 ? text : kept + text.slice(at);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function* encodedRanges(text: string): Generator<Range> {
  let start = -1;
  let end = 0;
  let size = 0;
  for (const run of longRuns(text)) {
    if (!isEncoded(text.slice(run.start, run.end))) continue;
    if (start < 0 || !BETWEEN.test(text.slice(end, run.start))) {
      if (size >= MIN_LENGTH) yield { start, end };
      ({ start } = run);
      size = 0;
    }
    size += run.end - run.start;
    ({ end } = run);
  }
  if (size >= MIN_LENGTH) yield { start, end };
}

/** Looks at one character in {@link MIN_RUN}: a long run has one of them. */
function* longRuns(text: string): Generator<Range> {
  const isDigit = (at: number): boolean => DIGITS[text.charCodeAt(at)] === 1;
  let end = -1;
  for (let at = MIN_RUN - 1; at < text.length; at += MIN_RUN) {
    if (!isDigit(at)) continue;
    let start = at;
    while (start > end + 1 && isDigit(start - 1)) start -= 1;
    for (end = at + 1; isDigit(end);) end += 1;
    if (end - start >= MIN_RUN) yield { start, end };
    at = end;
  }
}

/** By UTF-16 unit; all others are undefined. */
const DIGITS = new Uint8Array(128);
for (const digit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=')
  DIGITS[digit.charCodeAt(0)] = 1;

function isEncoded(run: string): boolean {
  const times = run.length / MIN_RUN;
  return count(run, /\d/g) >= MIN_DIGITS * times && count(run, /\//g) <= MAX_SLASHES * times;
}

function count(run: string, pattern: RegExp): number {
  return run.match(pattern)?.length ?? 0;
}
