import { once } from 'node:events';
import type { Context } from 'koa';
import type { CallContext } from '../caller.js';
import { ServiceError } from '../errors.js';
import { parseLines, type Line } from '../lines.js';

/** The media type of lines of JSON objects. */
export const LINES_TYPE = 'application/x-ndjson';
const KNOWN_TYPES = new Set([LINES_TYPE, 'application/ndjson', 'application/jsonl']);
/** How long the next line may take, either way; it replaces the deadline of a call. */
const IDLE_TIMEOUT_MS = 60_000;
/** Lines are written in pieces of about this size. */
const WRITE_BYTES = 64 * 1024;

/** Is this the media type of a stream of lines? Parameters (`; charset=utf-8`) do not matter. */
export function isLinesType(contentType: string | undefined): boolean {
  return KNOWN_TYPES.has((contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '');
}

/**
 * The lines of a body of any length, read as they are asked for: a slow handler slows the client down. Each line moves
 * the deadline of the call. Throws UNSUPPORTED_MEDIA_TYPE; the iteration throws INVALID_REQUEST where the body is cut off.
 */
export function receiveLines(ctx: Context, call: CallContext): AsyncIterable<Line> {
  const { headers } = ctx.req;
  if (!isLinesType(headers['content-type']) || (headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ServiceError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Send one JSON object a line, with the header Content-Type: ${LINES_TYPE} and without Content-Encoding.`,
    );
  }
  return moving(parseLines(bodyOf(ctx)), call);
}

async function* moving(lines: AsyncIterable<Line>, call: CallContext): AsyncGenerator<Line, void, undefined> {
  call.prolong?.(IDLE_TIMEOUT_MS);
  for await (const line of lines) {
    call.prolong?.(IDLE_TIMEOUT_MS);
    yield line;
  }
  call.prolong?.(IDLE_TIMEOUT_MS);
}

async function* bodyOf({ req }: Context): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // Kept open where the handler stops early: the answer goes over the same connection.
    for await (const chunk of req.iterator({ destroyOnReturn: false })) yield chunk as Buffer; // no encoding is set: bytes
  } catch (cause) {
    throw new ServiceError(
      'INVALID_REQUEST',
      'The lines did not arrive whole. Lines before the cut may be stored: send all of them again.',
      { cause },
    );
  }
}

/** An answer of lines. */
export interface LineStream {
  /** Resolves once the reader can take more. Moves the deadline of the call. Throws where the reader has gone. */
  send(line: object): Promise<void>;
  /** Sends the last line and ends the answer. */
  end(line: object): Promise<void>;
  /** True once the head of the answer is sent: a failure can only cut the connection then, which `cut` does. */
  readonly started: boolean;
  cut(): void;
}

/** Answers with lines, at the speed at which the client reads them. Nothing is sent before the first 64 KiB or `end`. */
export function openLineStream(ctx: Context, call: CallContext): LineStream {
  const { res } = ctx;
  let waiting = '';
  let started = false;
  const open = (): void => {
    if (started) return;
    started = true;
    ctx.respond = false;
    res.writeHead(200, { 'Content-Type': `${LINES_TYPE}; charset=utf-8`, 'X-Accel-Buffering': 'no' });
  };
  const flush = async (): Promise<void> => {
    open();
    const text = waiting;
    waiting = '';
    const { signal } = call;
    signal.throwIfAborted();
    if (!res.write(text)) await once(res, 'drain', { signal });
  };
  return {
    async send(line) {
      waiting += `${JSON.stringify(line)}\n`;
      if (waiting.length >= WRITE_BYTES) await flush();
      call.prolong?.(IDLE_TIMEOUT_MS);
    },
    async end(line) {
      waiting += `${JSON.stringify(line)}\n`;
      await flush();
      res.end();
    },
    get started() {
      return started;
    },
    cut: () => void res.destroy(),
  };
}
