import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { ServiceError, type CallContext, type Catalog } from '@service-mcp/core';
import { isRecord, principalOf } from '@service-mcp/core/wire';
import type { Context } from 'koa';
import { MAX_SUBSCRIPTIONS, tooManySubscriptions } from './client-session.js';
import type { Endpoint } from './endpoint.js';
import { whenClosed } from './event-stream.js';
import type { Exchange } from './sdk-bridge.js';

/** The one method that answers with a stream whatever the client accepts. */
export const LISTEN = 'subscriptions/listen';

/**
 * Opens the change stream of the stateless revision. The SDK sends changes of every resource that the client names, so
 * the catalog first refuses those that the caller may not read.
 */
export async function subscribe(
  endpoint: Endpoint,
  ctx: Context,
  exchange: Exchange,
  body: unknown,
): Promise<void> {
  const { call, message } = exchange;
  const subscription = await subscribeToNamed(endpoint.catalog, message.params, call);
  if ('refused' in subscription) {
    ctx.body = { jsonrpc: '2.0', id: message.id, error: subscription.refused };
    return;
  }
  whenClosed(ctx.res, subscription.stop);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  endpoint.open.add(ctx.res, principalOf(call.caller), () => endpoint.http.call(ctx, 'mcp'), end);
  whenClosed(ctx.res, end);
  await endpoint.modern(ctx, exchange, body, ending.signal);
}

/** Subscribes to the resources that a `subscriptions/listen` names; `refused` is the error for one that the caller cannot read. */
export async function subscribeToNamed(
  catalog: Catalog,
  params: unknown,
  call: CallContext,
): Promise<
  { readonly stop: () => void } | { readonly refused: { code: number; message: string; data: object } }
> {
  const uris = urisIn(params);
  try {
    return { stop: await catalog.subscribe(uris, call) };
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

function urisIn(params: unknown): readonly string[] {
  const notifications = isRecord(params) ? params['notifications'] : undefined;
  const uris = isRecord(notifications) ? notifications['resourceSubscriptions'] : undefined;
  if (!Array.isArray(uris)) return [];
  if (uris.length > MAX_SUBSCRIPTIONS) throw tooManySubscriptions();
  return uris.filter((uri) => typeof uri === 'string'); // the SDK refuses the rest
}
