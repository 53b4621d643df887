import { Failure } from '../failure.js';

const NEWLINE = 0x0a;
const MEBIBYTE = 1024 * 1024;
/** A file record is of 16 MiB of text at most, which escapes make up to six times longer, and of its path and language. */
const MAX_LINE_BYTES = (6 * 16 + 1) * MEBIBYTE;

/** The lines of a text in UTF-8, without their ends and its byte order mark. Throws a Failure for one of over 97 MiB. */
export async function* wholeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let line = 1;
  const add = (part: Uint8Array) => {
    parts.push(part);
    size += part.length;
    if (size > MAX_LINE_BYTES)
      throw new Failure(`Line ${line} is longer than ${MAX_LINE_BYTES} bytes: no export writes that.`, {
        next: 'Export the workspace again.',
      });
  };
  for await (const piece of bytes) {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
      add(piece.subarray(start, end));
      yield textOf(parts, line);
      [parts, size, start] = [[], 0, end + 1];
      line += 1;
    }
    if (start < piece.length) add(piece.subarray(start));
  }
  if (size > 0) yield textOf(parts, line);
}

function textOf(parts: readonly Uint8Array[], line: number): string {
  const text = Buffer.concat(parts).toString('utf8');
  return line === 1 ? text.replace(/^\ufeff/, '') : text;
}
