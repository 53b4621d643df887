import type { ServerResponse } from 'node:http';

/** In bytes: what waits unread in this process for one reader. Who has more waiting when there is more to tell is too slow. */
const MOST_UNREAD = 1024 * 1024;

export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no', // a proxy passes each event on at once
} as const;

/** Writes to a stream without waiting for its reader, who is dropped when he does not keep up. */
export function feed(res: ServerResponse, chunk: string | Uint8Array): void {
  if (res.destroyed || res.writableEnded) return;
  if (res.writableLength > MOST_UNREAD) res.destroy();
  else res.write(chunk); // one message may be larger
}

/** One JSON-RPC message as an event. */
export function eventOf(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

export const HEARTBEAT = ': still here\n\n';

/** Runs it once the response is closed, at once where it is already: clients go away while their request is looked at. */
export function whenClosed(res: ServerResponse, then: () => void): void {
  if (res.closed) then();
  else res.once('close', then);
}
