import { readJsonText } from '@service-mcp/core/wire';
import { Failure } from '../failure.js';
import type { Result } from './connection.js';

const NEWLINE = 0x0a;

/** Tools that stream lines, and their routes; the gateway has them too. */
export const LINE_ROUTES = {
  memory_import: { method: 'POST', path: '/api/v1/memory/import' },
  memory_export: { method: 'GET', path: '/api/v1/memory/export' },
} as const;
export type UploadTool = 'memory_import';
export type DownloadTool = 'memory_export';

/** A failure that breaks off a stream: the lines before it were received. */
export function cutOff(cause?: unknown): Failure {
  return new Failure('The answer was cut off before its last line.', {
    next: 'Run the same command again.',
    transient: true,
    cause,
  });
}

/** Passes pieces of NDJSON on, and resolves to its last line. Throws a Failure where that is not the end of an export. */
export async function passOn(
  pieces: AsyncIterable<Uint8Array>,
  write: (piece: Uint8Array) => Promise<void>,
): Promise<Result<DownloadTool>> {
  let last = Buffer.alloc(0);
  for await (const piece of pieces) {
    await write(piece);
    // What follows the last newline but one: the last line, once the stream has ended.
    const text = Buffer.concat([last, piece]);
    const begin = text.subarray(0, -1).lastIndexOf(NEWLINE) + 1;
    last = Buffer.from(text.subarray(begin));
  }
  const end =
    last.at(-1) === NEWLINE
      ? (readJsonText(last.toString('utf8')) as { record?: unknown } | undefined)
      : undefined;
  if (end?.record !== 'end') throw cutOff();
  return end as Result<DownloadTool>; // the service declares it
}
