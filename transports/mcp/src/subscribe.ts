import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { ServiceError, type CallContext, type Catalog, type ResourceListener } from '@service-mcp/core';
import { isRecord } from '@service-mcp/core/wire';
import type { Context } from 'koa';
import { MAX_SUBSCRIPTIONS, tooManySubscriptions } from './client-session.js';
import type { Endpoint } from './endpoint.js';
import { eventOf, resourceUpdated, whenClosed, writeChunk } from './event-stream.js';
import type { Exchange } from './sdk-bridge.js';

/** The one method that answers with a stream whatever the client accepts. */
export const LISTEN = 'subscriptions/listen';

/**
 * Opens the change stream of the stateless revision. The SDK sends the acknowledgement and changes of lists; what it is
 * told of a resource it would send to every client that names it, so the changes that the caller may see are sent here.
 */
export async function subscribe(
  endpoint: Endpoint,
  ctx: Context,
  exchange: Exchange,
  body: unknown,
): Promise<void> {
  const { call, message } = exchange;
  const { res } = ctx;
  const ending = new AbortController();
  const end = (): void => ending.abort();
  let begun = false;
  const subscription = await subscribeToNamed(endpoint.catalog, message.params, call, {
    changed(uri) {
      // A change before the acknowledgement is in what the client reads after it.
      if (begun) writeChunk(res, eventOf(resourceUpdated(uri, message.id ?? undefined)));
    },
    failed: end,
  });
  if ('refused' in subscription) {
    ctx.body = { jsonrpc: '2.0', id: message.id, error: subscription.refused };
    return;
  }
  call.prolong?.(Infinity);
  whenClosed(res, subscription.stop);
  endpoint.open.add(res, call.caller, () => endpoint.http.call(ctx, 'mcp'), end);
  whenClosed(res, end);
  await endpoint.modern(ctx, { ...exchange, begun: () => (begun = true) }, body, ending.signal);
}

/** Subscribes to the resources that a `subscriptions/listen` names; `refused` is the error for one that the caller cannot read. */
export async function subscribeToNamed(
  catalog: Catalog,
  params: unknown,
  call: CallContext,
  listener: ResourceListener,
): Promise<
  { readonly stop: () => void } | { readonly refused: { code: number; message: string; data: object } }
> {
  const uris = urisIn(params);
  if (uris.length > MAX_SUBSCRIPTIONS) throw tooManySubscriptions();
  try {
    return { stop: await catalog.subscribe(uris, call, listener) };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.code !== 'NOT_FOUND') throw thrown;
    const { code, message } = thrown;
    const uri = await firstUnreadable(catalog, uris, call);
    return { refused: { code: ProtocolErrorCode.InvalidParams, message, data: { code, uri } } };
  }
}

/** The first resource that cannot be read; the last one if all have become readable meanwhile. */
async function firstUnreadable(
  catalog: Catalog,
  uris: readonly string[],
  call: CallContext,
): Promise<string | undefined> {
  for (const uri of uris.slice(0, -1)) {
    const readable = await catalog.readResource(uri, call).then(
      () => true,
      () => false,
    );
    if (!readable) return uri;
  }
  return uris.at(-1);
}

/** The resources that a `subscriptions/listen` names. */
export function urisIn(params: unknown): readonly string[] {
  const notifications = isRecord(params) ? params['notifications'] : undefined;
  const uris = isRecord(notifications) ? notifications['resourceSubscriptions'] : undefined;
  if (!Array.isArray(uris)) return [];
  return uris.filter((uri) => typeof uri === 'string'); // the SDK refuses the rest
}
