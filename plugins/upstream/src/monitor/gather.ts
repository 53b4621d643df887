/** Long enough for what the service says of one change on many streams, too short for a person to notice. */
const GATHER_MS = 50;

/**
 * Tells once of an address for all that is said of it within 50 ms: one change reaches a gateway on the stream of each
 * client that follows the resource, and what is told goes to all of them.
 */
export function gather(tell: (uri: string) => void): (uri: string) => void {
  const waiting = new Set<string>();
  return (uri) => {
    if (waiting.has(uri)) return;
    waiting.add(uri);
    setTimeout(() => {
      waiting.delete(uri);
      tell(uri);
    }, GATHER_MS).unref();
  };
}
