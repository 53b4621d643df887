import { amendCall, ServiceError, type CallContext } from '@service-mcp/core';
import { failureOf, type HttpMount } from '@service-mcp/core/http';
import {
  idOf,
  readRpc,
  refuseLargeMessage,
  rpcFailure,
  rpcStatus,
  SESSION_HEADER,
  type RpcId,
  type RpcMessage,
  type Sessions,
} from '@service-mcp/core/wire';
import type { Context } from 'koa';
import { checkParameters } from './check-parameters.js';
import { answer, initialize, notify, type Service } from './methods.js';

/** POST /api/v1/rpc: one JSON-RPC object in, its response out (interface.md 4.4, rules 1 to 7). */
export async function postRpc(service: Service, http: HttpMount, ctx: Context, limit: number): Promise<void> {
  let body: unknown;
  try {
    const call = await http.call(ctx, 'rpc', { ceiling: true, rate: 'messages' });
    body = await http.readJson(ctx, limit);
    refuseLargeMessage(body, call);
    const message = readRpc(body);
    checkParameters(ctx, 'Send the params of the method in the body.');
    const { id } = message;
    if (message.method === 'initialize' && id !== undefined) {
      const { result, session } = await initialize(service, required(message), listing(http, ctx, call));
      ctx.set(SESSION_HEADER, session.id);
      return respond(ctx, id, result);
    }
    const own = await inSession(ctx, service.sessions, call);
    if (id !== undefined) {
      const asked = message.method === 'tools/list' ? listing(http, ctx, own) : own;
      return respond(ctx, id, await answer(service, message, asked));
    }
    notify(service, message, own);
    ctx.status = 202;
    ctx.body = '';
    ctx.remove('Content-Type');
  } catch (thrown) {
    const error = failureOf(http, ctx, 'rpc', thrown);
    ctx.status = rpcStatus(error);
    ctx.body = rpcFailure(error, idOf(body));
  }
}

/**
 * A list shows the deployment's default toolset, as on `/mcp`, so that it stays small; a call by name reaches
 * everything under the ceiling. A request that chooses a toolset is held to it in both.
 */
function listing(http: HttpMount, ctx: Context, call: CallContext): CallContext {
  return amendCall(call, { selection: http.selection(ctx) });
}

/** Rule 4: over JSON-RPC, initialize names a version, capabilities and the client. */
function required({ params }: RpcMessage): RpcMessage['params'] {
  const missing = ['protocolVersion', 'capabilities', 'clientInfo'].filter(
    (name) => params[name] === undefined,
  );
  if (missing.length === 0) return params;
  throw new ServiceError('INVALID_ARGUMENT', `initialize needs ${missing.join(', ')} in its params.`, {
    details: { issues: missing.map((name) => ({ path: `/${name}`, message: 'is missing' })) },
  });
}

/** The call within the session that the request names; throws UNKNOWN_SESSION where it is not the caller's. */
export async function inSession(ctx: Context, sessions: Sessions, call: CallContext): Promise<CallContext> {
  const id = ctx.get(SESSION_HEADER);
  if (id === '') return call;
  return amendCall(call, { session: (await sessions.get(id, call.caller)).id });
}

function respond(ctx: Context, id: RpcId, result: object): void {
  ctx.status = 200;
  ctx.body = { jsonrpc: '2.0', id, result };
}
