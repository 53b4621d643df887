import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { ServiceError, type CallContext, type Catalog } from '@service-mcp/core';
import { isRecord, principalOf } from '@service-mcp/core/wire';
import type { Context } from 'koa';
import { MOST_SUBSCRIPTIONS, tooManySubscriptions } from './client-session.js';
import type { Endpoint } from './endpoint.js';
import type { Exchange } from './exchange.js';

/** The one method that is answered by a stream whatever the client accepts. */
export const LISTEN = 'subscriptions/listen';

/**
 * Opens the stream of changes of the stateless revision. The SDK passes on what happens to the resources that the client names,
 * so each is read first: whoever may not read one hears nothing of it.
 */
export async function listen(
  endpoint: Endpoint,
  ctx: Context,
  exchange: Exchange,
  body: unknown,
): Promise<void> {
  const { call, message } = exchange;
  const refused = await unreadable(endpoint.catalog, message.params, call);
  if (refused) {
    ctx.body = { jsonrpc: '2.0', id: message.id, error: refused };
    return;
  }
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const check = async (): Promise<void> => void (await endpoint.http.call(ctx, 'mcp'));
  endpoint.open.add(ctx.res, principalOf(call.caller), check, end);
  ctx.res.once('close', end);
  await endpoint.modern(ctx, exchange, body, ending.signal);
}

/** The error for the first resource of a `subscriptions/listen` that there is not, for this caller. Throws what else fails. */
export async function unreadable(catalog: Catalog, params: unknown, call: CallContext) {
  for (const uri of urisIn(params)) {
    try {
      await catalog.readResource(uri, call);
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) || thrown.code !== 'NOT_FOUND') throw thrown;
      return {
        code: ProtocolErrorCode.InvalidParams,
        message: thrown.message,
        data: { code: thrown.code, uri },
      };
    }
  }
  return undefined;
}

function urisIn(params: unknown): readonly string[] {
  const notifications = isRecord(params) ? params['notifications'] : undefined;
  const uris = isRecord(notifications) ? notifications['resourceSubscriptions'] : undefined;
  if (!Array.isArray(uris)) return [];
  if (uris.length > MOST_SUBSCRIPTIONS) throw tooManySubscriptions();
  return uris.filter((uri) => typeof uri === 'string'); // others the SDK refuses
}
