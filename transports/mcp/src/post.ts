import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { ServiceError } from '@service-mcp/core';
import { idOf, isRecord, readRpc, refuseLargeMessage, type RpcMessage } from '@service-mcp/core/wire';
import type { Context } from 'koa';
import { contextModeOf, withContextMode } from './context-mode.js';
import { exchangeFor, fail, type Endpoint } from './endpoint.js';
import { withKnownMembers } from './known-members.js';
import { isAnswer, postAnswer, postLegacy } from './legacy.js';
import { LISTEN, subscribe } from './subscribe.js';

/** POST: answers one message. `ceiling`: the endpoint shows every tool under the deployment's ceiling. */
export async function post(endpoint: Endpoint, ctx: Context, ceiling: boolean): Promise<void> {
  let body: unknown;
  try {
    const call = await endpoint.http.call(ctx, 'mcp', { ceiling, rate: 'messages' });
    const mode = contextModeOf(ctx);
    body = withContextMode(await endpoint.http.readJson(ctx, endpoint.bodyLimit), mode);
    refuseLargeMessage(body, call);
    const known = withKnownMembers(body);
    if (isAnswer(known)) {
      await postAnswer(endpoint, ctx, call, known);
      return;
    }
    const message = readMessage(body);
    if (!isModern(message, ctx.get('mcp-protocol-version'))) {
      await postLegacy(endpoint, ctx, call, message, known);
      return;
    }
    const exchange = await exchangeFor(endpoint, ctx, call, message);
    await (message.method === LISTEN
      ? subscribe(endpoint, ctx, exchange, known)
      : endpoint.modern(ctx, exchange, known));
  } catch (thrown) {
    fail(endpoint, ctx, thrown, idOf(body));
  }
}

function readMessage(body: unknown): RpcMessage {
  const message = readRpc(body);
  if (message.id === null || (typeof message.id === 'number' && !Number.isInteger(message.id))) {
    throw new ServiceError(
      'INVALID_REQUEST',
      'id must be a string or an integer; leave it out for a notification.',
    );
  }
  return message;
}

/** The first revision without `initialize`; revisions are dates and compare as text. */
const FIRST_MODERN_VERSION = '2026-07-28';

/**
 * A modern request claims a revision in its `_meta`, or a modern one in its header: the rule of the SDK's
 * isLegacyRequest, which validates the whole message a second time (a tenth of a small call).
 */
function isModern({ params: { _meta: meta } }: RpcMessage, version: string): boolean {
  return version >= FIRST_MODERN_VERSION || (isRecord(meta) && PROTOCOL_VERSION_META_KEY in meta);
}
