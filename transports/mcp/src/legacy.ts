import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server';
import { amendCall, ServiceError, type CallContext } from '@service-mcp/core';
import {
  HANDSHAKE_VERSIONS,
  isDeeperThan,
  isRecord,
  MAX_DEPTH,
  negotiateVersion,
  principalOf,
  SESSION_HEADER,
  type RpcMessage,
} from '@service-mcp/core/wire';
import type { Context } from 'koa';
import { sessionOf } from './client-session.js';
import { exchangeFor, refuse, type Endpoint } from './endpoint.js';
import { whenClosed } from './event-stream.js';
import { answerHandshake } from './http-handlers.js';
import { recipientOf, type Answer } from './pending-requests.js';
import { ResourceWatch } from './resource-watch.js';

const LISTS = ['tools', 'resources', 'prompts'] as const;

/** A session that the client names must be the caller's own; a client without a session is served too. */
export async function postLegacy(
  endpoint: Endpoint,
  ctx: Context,
  call: CallContext,
  message: RpcMessage,
  body: unknown,
): Promise<void> {
  const { sessions, cancellations, changes } = endpoint;
  if (message.method === 'initialize') {
    const exchange = await exchangeFor(endpoint, ctx, call, message);
    if (!isInitializeRequest(body)) return answerHandshake(endpoint, ctx, exchange, body);
    const { protocolVersion, capabilities } = message.params;
    const opening = sessions.open(call.caller, {
      protocolVersion: negotiateVersion(protocolVersion),
      capabilities: isRecord(capabilities) ? capabilities : {},
    });
    const session = await unlessUnavailable(opening); // a client without a session is served too
    const headers = session ? { [SESSION_HEADER]: session.id } : {};
    return answerHandshake(endpoint, ctx, { ...exchange, headers }, body);
  }
  assertVersion(ctx.get('mcp-protocol-version'));
  const id = ctx.get(SESSION_HEADER);
  const session = id === '' ? undefined : await sessions.get(id, call.caller);
  if (message.id === undefined) {
    if (message.method === 'notifications/cancelled' && session) {
      cancellations.cancel(session.id, message.params['requestId']);
    }
    return accept(ctx);
  }
  if (!session) return answerHandshake(endpoint, ctx, await exchangeFor(endpoint, ctx, call, message), body);
  const { lists } = sessions;
  if (message.method === 'tools/list' && session.lists !== lists)
    await unlessUnavailable(sessions.change(session.id, call.caller, () => ({ lists })));
  await cancellations.run(amendCall(call, { session: session.id }), message.id, async (own, isCancelled) => {
    const clientSession = sessionOf(session, sessions, own, (changed) => changes.update(changed));
    const exchange = await exchangeFor(endpoint, ctx, own, message);
    await answerHandshake(endpoint, ctx, { ...exchange, session: clientSession, isCancelled }, body);
  });
}

/** What a write of the session resolves to; undefined where the database takes none, which must not end reads. */
function unlessUnavailable<T>(write: Promise<T>): Promise<T | undefined> {
  return write.catch((thrown: unknown) => {
    if (thrown instanceof ServiceError && thrown.code === 'UNAVAILABLE') return undefined;
    throw thrown;
  });
}

/** Is the body an answer to a request of the server? */
export function isAnswer(body: unknown): body is Answer {
  return isRecord(body) && !('method' in body) && ('result' in body || 'error' in body);
}

/** Delivers a client's answer to the call of its session that asked. */
export async function postAnswer(
  { sessions, pending }: Endpoint,
  ctx: Context,
  { caller }: CallContext,
  answer: Answer,
): Promise<void> {
  const session = await sessions.get(ctx.get(SESSION_HEADER), caller);
  if (isDeeperThan(answer, MAX_DEPTH))
    throw new ServiceError('INVALID_REQUEST', `An answer may nest ${MAX_DEPTH} levels: send a flatter one.`);
  if (!isJSONRPCResultResponse(answer) && !isJSONRPCErrorResponse(answer))
    throw new ServiceError('INVALID_REQUEST', 'An answer is {jsonrpc, id, result} or {jsonrpc, id, error}.');
  if (pending.answer(recipientOf(session.id, principalOf(caller)), answer)) return accept(ctx);
  throw new ServiceError(
    'INVALID_REQUEST',
    'No question of this id waits for an answer in this session: it was answered, withdrawn, or asked by another process.',
  );
}

/** GET: a stream of changes, for a client with a session. */
export async function openChangeStream(endpoint: Endpoint, ctx: Context): Promise<void> {
  const id = ctx.get(SESSION_HEADER);
  const streams = ctx.method === 'GET' && ctx.get('accept').includes('text/event-stream');
  if (id === '' || !streams) return refuse(endpoint, ctx);
  const { http, catalog, sessions, open, changes, heartbeatMs } = endpoint;
  const { res } = ctx;
  const call = await http.call(ctx, 'mcp', { endless: true });
  assertVersion(ctx.get('mcp-protocol-version'));
  const session = await sessions.get(id, call.caller);
  const check = async (): Promise<void> => {
    const { caller } = await http.call(ctx, 'mcp', { endless: true });
    // Its reads may take longer than this check, and are tried again with the next one.
    changes.update(await sessions.get(id, caller)).catch(() => undefined);
  };
  open.add(res, call.caller, check, () => res.end());
  ctx.respond = false;
  const resources = new ResourceWatch(catalog, () => call, {
    changed: (uri) => changes.tell(res, id, uri),
    failed: () => res.end(),
  });
  whenClosed(res, () => resources.close());
  await changes.open(res, session, heartbeatMs, (uris) => resources.set(uris));
  // The session has outlived a process with other tools.
  if (session.lists !== sessions.lists) for (const kind of LISTS) changes.send(kind, session.id);
}

/** DELETE: ends the session. */
export async function endSession({ http, sessions, changes }: Endpoint, ctx: Context): Promise<void> {
  const { caller } = await http.call(ctx, 'mcp');
  const id = ctx.get(SESSION_HEADER);
  if (id === '')
    throw new ServiceError('INVALID_REQUEST', 'Name the session to end in the Mcp-Session-Id header.');
  await sessions.close(id, caller);
  changes.end(id);
  ctx.status = 204;
}

function assertVersion(version: string): void {
  if (version === '' || HANDSHAKE_VERSIONS.some((known) => known === version)) return;
  throw new ServiceError(
    'INVALID_REQUEST',
    `MCP-Protocol-Version ${version} is not served; use one of ${HANDSHAKE_VERSIONS.join(', ')}, the one that initialize answered.`,
  );
}

function accept(ctx: Context): void {
  ctx.status = 202;
  ctx.body = '';
  ctx.remove('Content-Type');
}
