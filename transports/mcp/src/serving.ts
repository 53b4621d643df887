import {
  LOG_LEVEL_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ERRORS, toServiceError, type CallContext } from '@service-mcp/core';
import { rpcError } from '@service-mcp/core/wire';
import { inEnvelope, inRequest } from './notices.js';
import type { ServerSettings } from './server.js';
import { asksForScope } from './tool-call.js';

/** How the absence of what a request names reads in MCP. */
interface Absence {
  readonly code: ProtocolErrorCode;
  /** Told besides. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Runs the work of one request within its call, and turns what it throws into an error of the protocol. */
export async function serve<T>(
  settings: ServerSettings,
  { mcpReq }: ServerContext,
  work: (call: CallContext) => Promise<unknown>,
  absence?: Absence,
): Promise<T> {
  const call = await settings.call();
  try {
    const { asker, streams } = settings;
    const logLevel =
      asker.era === 'modern' ? inEnvelope(mcpReq, LOG_LEVEL_META_KEY) : asker.session?.logLevel;
    return (await inRequest(mcpReq, call, { streams, logLevel }, work)) as T; // our types are the SDK's, read-only
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    const error = toServiceError(thrown, call.requestId);
    if (error !== thrown) call.log.error({ err: thrown }, 'a catalog threw a foreign error');
    if (ERRORS[error.code].mcp === 'http' || asksForScope(error, call)) settings.onHttpFailure?.(error);
    const { code, message, data } = rpcError(error);
    if (error.code === 'NOT_FOUND' && absence)
      throw new ProtocolError(absence.code, message, { ...data, ...absence.data });
    throw new ProtocolError(code, message, data);
  }
}

/** A list is one page, so no cursor was ever handed out. Throws the error of MCP for an unknown one. */
export function refuseCursor(params: { readonly cursor?: unknown } | undefined): void {
  if (params?.cursor === undefined) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'There is no such cursor: this list is one page. Ask for it without a cursor.',
  );
}
