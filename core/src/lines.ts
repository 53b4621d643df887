import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_DEPTH, findUnstorable } from './storable.js';
import { withoutByteOrderMark } from './wire/json-text.js';
import { isRecord } from './wire/rpc.js';

/** The longest line of a stream, in bytes. */
export const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
/** How long lines are read, and worked on by their reader, before other work of this thread has a turn. */
const TURN_MS = 10;
const FAULTS = {
  text: 'the line must be well-formed Unicode without the NUL character',
  depth: `the line is nested deeper than ${MAX_DEPTH} levels`,
};

/** A line of a stream of JSON objects, one a line (NDJSON); an unusable one has a `fault` instead of a value. */
export type Line = {
  /** From 1; blank lines count, but are not passed on. */
  readonly line: number;
  /** Its length; of a line that is too long, the limit. */
  readonly bytes: number;
} & (
  | { readonly value: Readonly<Record<string, unknown>>; readonly fault?: never }
  | { readonly fault: string; readonly value?: never }
);

/**
 * Splits bytes into lines and parses each. A line that is over 1 MiB, not UTF-8, not a JSON object, nested deeper than 64
 * levels, or that no database can store, is passed on as a fault; the others are not affected. Holds one line at most, and
 * lets other work run every 10 ms, however many lines one piece has.
 */
export async function* parseLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let line = 1;
  const add = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes > MAX_LINE_BYTES) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const take = (): Line | undefined => {
    const taken = toLine(line, bytes, parts);
    parts = [];
    bytes = 0;
    line += 1;
    return taken;
  };
  let turnEnds = performance.now() + TURN_MS;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end; (end = chunk.indexOf(NEWLINE, from)) !== -1; from = end + 1) {
      add(chunk.subarray(from, end));
      const found = take();
      if (found) yield found;
      if (performance.now() < turnEnds) continue;
      await nextTurn();
      turnEnds = performance.now() + TURN_MS;
    }
    add(chunk.subarray(from));
  }
  const last = take();
  if (last) yield last;
}

/** Undefined for a blank line. */
function toLine(line: number, bytes: number, parts: readonly Uint8Array[]): Line | undefined {
  if (bytes === 0) return undefined;
  if (bytes > MAX_LINE_BYTES)
    return { line, bytes: MAX_LINE_BYTES, fault: `the line is over ${MAX_LINE_BYTES} bytes` };
  const whole = Buffer.concat(parts);
  if (!isUtf8(whole)) return { line, bytes, fault: 'the line is not valid UTF-8' };
  const text = whole.toString('utf8');
  const json = line === 1 ? withoutByteOrderMark(text) : text;
  if (json.trim() === '') return undefined;
  const value = parse(json);
  if (value === undefined) return { line, bytes, fault: 'the line is not valid JSON' };
  if (!isRecord(value)) return { line, bytes, fault: 'the line is not a JSON object' };
  const bad = findUnstorable(value);
  return bad ? { line, bytes, fault: FAULTS[bad.fault] } : { line, bytes, value };
}

function parse(json: string): unknown {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0; // two thirds of the cost of a line that is not JSON
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
