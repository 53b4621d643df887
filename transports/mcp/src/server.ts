import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ServiceError } from '@service-mcp/core';
import { HANDSHAKE_VERSIONS, readToolCall, rpcError, SERVER_CAPABILITIES } from '@service-mcp/core/wire';
import { CATALOG_METHODS, HANDSHAKE_METHODS } from './methods.js';
import type { ServerSettings } from './with-call.js';

/** Lists depend only on the caller, and clients with an open stream are notified of changes. */
const LIST_CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const;
const NO_CACHE = { ttlMs: 0, cacheScope: 'private' } as const;

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/** Answers malformed params with INVALID_PARAMS, where the SDK answers -32603 with the text of its validator. */
class CatalogServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, ctx) => {
      try {
        return await wrapped(method === 'tools/call' ? checkedCall(request) : request, ctx);
      } catch (thrown) {
        // For this one method the SDK puts the text of its validator into an error of the protocol.
        const isForeign =
          thrown instanceof ProtocolError && thrown.message.startsWith(`Invalid ${method} request:`);
        if (thrown instanceof ProtocolError && !isForeign) throw thrown;
        this.onerror?.(thrown as Error); // only Errors are thrown here
        const message = `The params do not conform to ${method} of MCP. See its specification.`;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
      }
    };
  }
}

/** A call whose name and arguments are of the types that they must have, with an error that names the one which is not. */
function checkedCall(request: JSONRPCRequest): JSONRPCRequest {
  try {
    const { name, args } = readToolCall(request.params ?? {});
    return { ...request, params: { ...request.params, name, arguments: args } };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    const { code, message, data } = rpcError(thrown);
    throw new ProtocolError(code, message, data);
  }
}

/**
 * The SDK's low-level server over a catalog: schemas are sent as they are, and arguments are not checked here
 * since the catalog checks them. It serves one request over HTTP, or one connection over stdio.
 */
export function buildServer(settings: ServerSettings): Server {
  const { version, requester, instructions, only } = settings;
  const server = new CatalogServer(
    { name: 'service-mcp', version },
    {
      capabilities: SERVER_CAPABILITIES,
      supportedProtocolVersions: [...HANDSHAKE_VERSIONS],
      inputRequired: { legacyShim: false }, // its ids can be guessed, and it has no sessions
      cacheHints: {
        'tools/list': LIST_CACHE,
        'prompts/list': LIST_CACHE,
        'resources/list': LIST_CACHE,
        'resources/templates/list': LIST_CACHE,
        'resources/read': NO_CACHE,
        'server/discover': LIST_CACHE,
      },
      ...(instructions !== undefined && { instructions }),
    },
  );
  const methods = requester.era === 'legacy' ? HANDSHAKE_METHODS : CATALOG_METHODS;
  if (only !== undefined) methods.get(only)?.(server, settings);
  else for (const register of methods.values()) register(server, settings);
  return server;
}
