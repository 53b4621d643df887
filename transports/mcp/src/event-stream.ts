import type { ServerResponse } from 'node:http';
import { SUBSCRIPTION_ID_META_KEY, type RequestId } from '@modelcontextprotocol/server';
import type { Caller } from '@service-mcp/core';
import { OpenCount, streamCheck } from '@service-mcp/core/wire';

/** Bytes buffered for one reader. A reader with more unread at the next write is too slow. */
const MAX_UNREAD_BYTES = 1024 * 1024;

export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no', // proxies must not buffer
} as const;

/** Writes without waiting for the reader; a reader that is too slow is disconnected. */
export function writeChunk(res: ServerResponse, chunk: string | Uint8Array): void {
  if (res.destroyed || res.writableEnded) return;
  if (res.writableLength > MAX_UNREAD_BYTES) res.destroy();
  else res.write(chunk); // one message may exceed the limit
}

/** One JSON-RPC message as an event. */
export function eventOf(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** The notification of a changed resource; a `subscriptions/listen` gets it with the id of its request. */
export function resourceUpdated(uri: string, subscription?: RequestId): object {
  const meta = subscription !== undefined && { _meta: { [SUBSCRIPTION_ID_META_KEY]: subscription } };
  return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri, ...meta } };
}

export const HEARTBEAT = ': still here\n\n';

/** Runs `then` once the response is closed, now if it already is: clients disconnect while their request is handled. */
export function whenClosed(res: ServerResponse, then: () => void): void {
  if (res.closed) then();
  else res.once('close', then);
}

/** Runs `work` at an interval until the response is closed. */
export function repeatUntilClosed(res: ServerResponse, everyMs: number, work: () => void): void {
  const timer = setInterval(work, everyMs).unref();
  whenClosed(res, () => clearInterval(timer));
}

export function sendHeartbeats(res: ServerResponse, everyMs: number): void {
  repeatUntilClosed(res, everyMs, () => writeChunk(res, HEARTBEAT));
}

/** The long-lived event streams of both eras: counted, and ended when their credential is no longer valid. */
export class OpenStreams {
  readonly #checkMs: number;
  readonly #open = new OpenCount();

  /** `checkMs`: the interval of the checks. */
  constructor(checkMs: number) {
    this.#checkMs = checkMs;
  }

  /**
   * Calls `check` at the interval until the response closes, and `end` once it throws; UNAVAILABLE is only the end at
   * the fourth time in a row. Throws UNAVAILABLE when too many are open.
   */
  add(res: ServerResponse, caller: Caller, check: () => Promise<unknown>, end: () => void): void {
    whenClosed(res, this.#open.enter(caller));
    const checkOnce = streamCheck(check, end);
    repeatUntilClosed(res, this.#checkMs, () => void checkOnce());
  }

  get count(): number {
    return this.#open.count;
  }
}
