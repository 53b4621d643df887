import { mergeSpans, readingOf, storedSpans, type Span } from './reading.js';
import type { CompiledPattern } from './regex.js';

/**
 * The matches of a pattern in a text, in order, without empty matches. Unless `multiline`, each line is
 * a text of its own, without its line end, as in grep; if so, `\n` and `$` stand for `\r\n` and before it too. A byte
 * order mark at the start is not a part of the text. An expression that names one of these, or a carriage return, finds
 * it all the same.
 */
export function matchesIn(text: string, pattern: CompiledPattern): Generator<Span> {
  const reading = readingOf(text, pattern.multiline || pattern.anchored);
  if (!reading) return spansOf(text, pattern);
  const spans = storedSpans(reading, spansOf(reading.text, pattern));
  return pattern.namesHidden ? mergeSpans(spans, spansOf(text, pattern)) : spans;
}

function spansOf(text: string, pattern: CompiledPattern): Generator<Span> {
  const { regex, multiline, anchored } = pattern;
  if (multiline) return inLine(text, 0, 0, regex);
  if (anchored) return ofText(text, regex);
  return byLine(text, pattern);
}

/** Runs the engine on the lines that have what every match has, if that is known, and that its automaton accepts. */
function* byLine(text: string, { regex, required }: CompiledPattern): Generator<Span> {
  const isCut = text.includes('\r\n');
  // `$` stands before `\n` alone: of a text with `\r\n`, only single lines can be tested.
  if (!required && !isCut && !regex.test(text)) return;
  for (let at = 0; at < text.length;) {
    if (required) {
      required.lastIndex = at;
      const found = required.exec(text);
      if (!found) return;
      at = found.index === 0 ? 0 : text.lastIndexOf('\n', found.index - 1) + 1;
    }
    const feed = text.indexOf('\n', at);
    const next = feed === -1 ? text.length : feed;
    const line = text.slice(at, isCut && feed > at && text[feed - 1] === '\r' ? feed - 1 : next);
    if (regex.test(line)) yield* inLine(line, 0, at, regex);
    at = next + 1;
  }
}

/** By lines, for an expression that asks for the start or end of the whole text. */
function* ofText(text: string, regex: CompiledPattern['regex']): Generator<Span> {
  const matcher = regex.matcher(text);
  let found = matcher.find();
  while (found) {
    const start = matcher.start();
    const end = matcher.end();
    const lineEnd = text.indexOf('\n', start);
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
