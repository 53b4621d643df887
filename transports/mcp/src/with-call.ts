import {
  LOG_LEVEL_META_KEY,
  ProtocolError,
  type ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ERRORS, toServiceError, type CallContext, type Catalog, type ServiceError } from '@service-mcp/core';
import { rpcError } from '@service-mcp/core/wire';
import { inEnvelope, withNotices } from './with-notices.js';
import type { ClientRequester } from './elicitation.js';
import { asksForScope } from './tool-call.js';

/** The settings that all methods of a server share. */
export interface ServerSettings {
  readonly catalog: Catalog;
  readonly version: string;
  /** The way in which requests reach the client, and its session. */
  readonly requester: ClientRequester;
  /** True when messages can be sent to the client before the result. */
  readonly streams: boolean;
  readonly instructions?: string;
  /** The one method to serve, for a server that is made for one request. */
  readonly only?: string;
  /** The call context of one request, before its own signal and progress are added. */
  readonly call: () => CallContext | Promise<CallContext>;
  /** Called with a failure that has an HTTP status of its own (the table's kind `http`). */
  readonly onHttpFailure?: (error: ServiceError) => void;
}

/** The MCP error for a NOT_FOUND of one method. */
export interface NotFoundError {
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
