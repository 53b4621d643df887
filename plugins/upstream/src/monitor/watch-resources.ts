import { setTimeout as sleep } from 'node:timers/promises';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { CallContext, Log, ServiceError } from '@service-mcp/core';
import { openClient, type ServiceAccess } from '../connection/call-client.js';
import { isRecord } from '../connection/error-response.js';
import { mapError } from '../connection/map-error.js';

const OPEN_TIMEOUT_MS = 10_000;
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;

interface WatchOptions {
  readonly access: ServiceAccess;
  readonly call: CallContext;
  readonly log: Log;
  readonly notify: (uri: string) => void;
}

/**
 * Subscribes to resources of the service with the caller's credential, until the returned function is called. Resolves
 * once subscribed; throws when the service rejects the subscription. A broken stream is reopened with back-off, without
 * resources that no longer exist; then every resource is notified, since it may have changed in between.
 */
export async function watchResources(uris: readonly string[], options: WatchOptions): Promise<() => void> {
  if (uris.length === 0) return () => undefined;
  const stopping = new AbortController();
  const { signal } = stopping;
  const opened = await open(uris, options, signal);
  if ('rejection' in opened) throw opened.rejection;
  void keepOpen(opened, uris, options, signal);
  return () => stopping.abort();
}

async function keepOpen(
  first: Opened,
  uris: readonly string[],
  options: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  let { closed } = first;
  let remaining = uris;
  for (let failures = 0; !signal.aborted && remaining.length > 0; failures += 1) {
    await closed;
    await sleep(Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** failures), undefined, {
      ref: false,
      signal,
    }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      let opened = await open(remaining, options, signal);
      while ('rejection' in opened) {
        const { missingUri } = opened;
        if (!remaining.includes(missingUri)) throw opened.rejection;
        remaining = remaining.filter((uri) => uri !== missingUri);
        options.notify(missingUri);
        if (remaining.length === 0) return;
        opened = await open(remaining, options, signal);
      }
      ({ closed } = opened);
      failures = 0;
      remaining.forEach((uri) => options.notify(uri));
    } catch (err) {
      closed = Promise.resolve();
      options.log.debug({ err }, 'subscribing to resources of the service failed');
    }
  }
}

interface Opened {
  /** Resolves when the stream has ended. */
  readonly closed: Promise<unknown>;
}

/** The service rejected the subscription, because the caller cannot read one of the resources. */
interface Rejected {
  readonly rejection: ServiceError;
  readonly missingUri: string;
}

/** Resolves when the service accepts the subscription or rejects a resource. Throws any other error. */
async function open(
  uris: readonly string[],
  { access, call, notify }: WatchOptions,
  signal: AbortSignal,
): Promise<Opened | Rejected> {
  const { client } = await openClient(access, call, true);
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => notify(params.uri));
  try {
    const subscription = await client.listen(
      { resourceSubscriptions: [...uris] },
      { signal, timeout: OPEN_TIMEOUT_MS },
    );
    return { closed: subscription.closed.catch(() => undefined).finally(() => client.close()) };
  } catch (thrown) {
    await client.close();
    const rejection = mapError(access.connection.base, thrown, signal);
    const missingUri =
      thrown instanceof ProtocolError && isRecord(thrown.data) ? thrown.data['uri'] : undefined;
    if (rejection.code === 'NOT_FOUND' && typeof missingUri === 'string') return { rejection, missingUri };
    throw rejection;
  }
}
