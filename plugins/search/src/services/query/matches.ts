import type { CompiledPattern } from './regex.js';

/** A match: UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The matches of a pattern in a text, in order, without empty matches. Unless `multiline`, each line is
 * a text of its own, without its line end, as in grep.
 */
export function* matchesIn(text: string, { regex, multiline }: CompiledPattern): Generator<Span> {
  if (!multiline && text.includes('\r\n')) {
    yield* linewise(text, 0, regex);
    return;
  }
  const matcher = regex.matcher(text);
  let found = matcher.find();
  while (found) {
    const start = matcher.start();
    const end = matcher.end();
    const lineEnd = multiline ? -1 : text.indexOf('\n', start);
    if (lineEnd !== -1 && lineEnd < end) {
      // The match crosses the line end; the line alone may still have matches.
      const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
      yield* inLine(text.slice(lineStart, lineEnd), start - lineStart, lineStart, regex);
      found = matcher.find(lineEnd + 1);
    } else {
      if (end > start) yield { start, end };
      found = matcher.find();
    }
  }
}

function* linewise(text: string, from: number, regex: CompiledPattern['regex']): Generator<Span> {
  for (let at = from; at < text.length;) {
    const feed = text.indexOf('\n', at);
    const next = feed === -1 ? text.length : feed;
    const end = feed > at && text[feed - 1] === '\r' ? feed - 1 : next;
    yield* inLine(text.slice(at, end), 0, at, regex);
    at = next + 1;
  }
}

function* inLine(
  line: string,
  from: number,
  offset: number,
  regex: CompiledPattern['regex'],
): Generator<Span> {
  const matcher = regex.matcher(line);
  for (let found = matcher.find(from); found; found = matcher.find()) {
    const start = matcher.start();
    const end = matcher.end();
    if (end > start) yield { start: start + offset, end: end + offset };
  }
}
