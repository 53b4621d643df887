/** Covers the notifications of one change on several streams; too short for people to notice. */
const DEBOUNCE_MS = 50;

/**
 * Notifies once per address within 50 ms: a gateway gets one change on the stream of each subscribed client, and
 * notifies all clients.
 */
export function debounce(notify: (uri: string) => void): (uri: string) => void {
  const waiting = new Set<string>();
  return (uri) => {
    if (waiting.has(uri)) return;
    waiting.add(uri);
    setTimeout(() => {
      waiting.delete(uri);
      notify(uri);
    }, DEBOUNCE_MS).unref();
  };
}
