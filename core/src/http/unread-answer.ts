import type { ServerResponse } from 'node:http';

/** How long a client may take nothing of what waits for it. */
const SLOW_READER_MS = 60_000;

/**
 * Ends the connection of a client that takes nothing more of a whole answer, which is held in memory until then; one that
 * goes on taking it has all the time it needs. Streams limit their readers themselves.
 */
export function limitUnreadAnswer(res: ServerResponse): void {
  res.once('prefinish', () => {
    if (res.writableLength > 0) res.socket?.setTimeout(SLOW_READER_MS); // at the end of the answer, Node sets its own
  });
}
