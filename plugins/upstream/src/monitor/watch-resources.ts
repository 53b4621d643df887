import { setTimeout as sleep } from 'node:timers/promises';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { CallContext, Log, ServiceError } from '@service-mcp/core';
import { openClient, type Asking } from '../connection/one-call.js';
import { isRecord } from '../connection/refusals.js';
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
 * back-off, without the resources that are gone by then, and then each is told of, since it may have changed meanwhile.
 */
export async function watchResources(uris: readonly string[], watching: Watching): Promise<() => void> {
  if (uris.length === 0) return () => undefined;
  const stopping = new AbortController();
  const { signal } = stopping;
  const opened = await open(uris, watching, signal);
  if ('refusal' in opened) throw opened.refusal;
  void keepOpen(opened, uris, watching, signal);
  return () => stopping.abort();
}

async function keepOpen(
  first: Opened,
  uris: readonly string[],
  watching: Watching,
  signal: AbortSignal,
): Promise<void> {
  let { closed } = first;
  let left = uris;
  for (let failures = 0; !signal.aborted && left.length > 0; failures += 1) {
    await closed;
    await sleep(Math.min(MOST_MS, FIRST_MS * 2 ** failures), undefined, { ref: false, signal }).catch(
      () => undefined,
    );
    if (signal.aborted) return;
    try {
      let opened = await open(left, watching, signal);
      while ('refusal' in opened) {
        const { without } = opened;
        if (!left.includes(without)) throw opened.refusal;
        left = left.filter((uri) => uri !== without);
        watching.tell(without);
        if (left.length === 0) return;
        opened = await open(left, watching, signal);
      }
      ({ closed } = opened);
      failures = 0;
      left.forEach((uri) => watching.tell(uri));
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

/** The service refused, since the caller cannot read one of the resources. */
interface Refused {
  readonly refusal: ServiceError;
  readonly without: string;
}

/** Resolves once the service has taken the subscription, or refused a resource. Throws any other failure. */
async function open(
  uris: readonly string[],
  { asking, call, tell }: Watching,
  signal: AbortSignal,
): Promise<Opened | Refused> {
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
    const refusal = translated(asking.connection.base, thrown, signal);
    const without = thrown instanceof ProtocolError && isRecord(thrown.data) ? thrown.data['uri'] : undefined;
    if (refusal.code === 'NOT_FOUND' && typeof without === 'string') return { refusal, without };
    throw refusal;
  }
}
