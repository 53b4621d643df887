import {
  LOG_LEVEL_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ERRORS, toServiceError, type CallContext } from '@service-mcp/core';
import { rpcError } from '@service-mcp/core/wire';
import { inEnvelope, withNotices } from './with-notices.js';
import type { ServerSettings } from './server-settings.js';
import { asksForScope } from './tool-call.js';

/** The MCP error for a NOT_FOUND of one method. */
interface NotFoundError {
  readonly code: ProtocolErrorCode;
  /** Added to the data of the error. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Runs the work of one request in its call, and maps what it throws to an error of the protocol. */
export async function withCall<T>(
  settings: ServerSettings,
  { mcpReq }: ServerContext,
  work: (call: CallContext) => Promise<unknown>,
  notFound?: NotFoundError,
): Promise<T> {
  const call = await settings.call();
  try {
    const { requester, streams } = settings;
    const logLevel =
      requester.era === 'modern' ? inEnvelope(mcpReq, LOG_LEVEL_META_KEY) : requester.session?.logLevel;
    return (await withNotices(mcpReq, call, { streams, logLevel }, work)) as T; // our types are the SDK's, readonly
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    const error = toServiceError(thrown, call.requestId);
    if (error !== thrown) call.log.error({ err: thrown }, 'a catalog threw a foreign error');
    if (ERRORS[error.code].mcp === 'http' || asksForScope(error, call)) settings.onHttpFailure?.(error);
    const { code, message, data } = rpcError(error);
    if (error.code === 'NOT_FOUND' && notFound)
      throw new ProtocolError(notFound.code, message, { ...data, ...notFound.data });
    throw new ProtocolError(code, message, data);
  }
}

/** Every list is one page, so every cursor is unknown: throws the error of MCP for one. */
export function refuseCursor(params: { readonly cursor?: unknown } | undefined): void {
  if (params?.cursor === undefined) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'There is no such cursor: this list is one page. Ask for it without a cursor.',
  );
}
