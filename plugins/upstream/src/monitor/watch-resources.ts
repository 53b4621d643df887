import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext, Log } from '@service-mcp/core';
import { openClient, type Asking } from '../connection/one-call.js';
import { translated } from '../connection/translated.js';

const OPENING_MS = 10_000;
const FIRST_MS = 500;
const MOST_MS = 10_000;

interface Watching {
  readonly asking: Asking;
  readonly call: CallContext;
  readonly log: Log;
  readonly tell: (uri: string) => void;
}

/**
 * Listens to what the service tells of some resources, with the caller's own credential, until the returned function is
 * called. Resolves once it listens; throws what the service refuses. A stream that breaks is opened again with
 * back-off, and then each resource is told of, since it may have changed meanwhile.
 */
export async function watchResources(uris: readonly string[], watching: Watching): Promise<() => void> {
  if (uris.length === 0) return () => undefined;
  const stopping = new AbortController();
  const { signal } = stopping;
  const first = await open(uris, watching, signal);
  void keepOpen(first, uris, watching, signal);
  return () => stopping.abort();
}

async function keepOpen(
  first: Opened,
  uris: readonly string[],
  watching: Watching,
  signal: AbortSignal,
): Promise<void> {
  let { closed } = first;
  for (let failures = 0; !signal.aborted; failures += 1) {
    await closed;
    await sleep(Math.min(MOST_MS, FIRST_MS * 2 ** failures), undefined, { ref: false, signal }).catch(
      () => undefined,
    );
    if (signal.aborted) return;
    try {
      ({ closed } = await open(uris, watching, signal));
      failures = 0;
      uris.forEach((uri) => watching.tell(uri));
    } catch (err) {
      closed = Promise.resolve();
      watching.log.debug({ err }, 'the service does not tell of its resources for now');
    }
  }
}

interface Opened {
  /** Resolves when the stream has ended. */
  readonly closed: Promise<unknown>;
}

/** Resolves once the service has taken the subscription. */
async function open(
  uris: readonly string[],
  { asking, call, tell }: Watching,
  signal: AbortSignal,
): Promise<Opened> {
  const { client } = await openClient(asking, call, true);
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => tell(params.uri));
  try {
    const subscription = await client.listen(
      { resourceSubscriptions: [...uris] },
      { signal, timeout: OPENING_MS },
    );
    return { closed: subscription.closed.catch(() => undefined).finally(() => client.close()) };
  } catch (thrown) {
    await client.close();
    throw translated(asking.connection.base, thrown, signal);
  }
}
