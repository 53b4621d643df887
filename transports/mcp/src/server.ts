import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type JSONRPCRequest,
  type Result,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallContext, Catalog, ServiceError } from '@service-mcp/core';
import { HANDSHAKE_VERSIONS } from '@service-mcp/core/wire';
import { CATALOG_METHODS, type Register } from './handlers.js';
import type { Asker } from './rounds.js';
import { SESSION_METHODS } from './session-handlers.js';

export interface ServerSettings {
  readonly catalog: Catalog;
  readonly version: string;
  /** How the client is asked, and what it keeps with us. */
  readonly asker: Asker;
  /** True where messages can be sent to the client before the result. */
  readonly streams: boolean;
  readonly instructions?: string;
  /** The one method that is asked for, where the server is made for one request. */
  readonly only?: string;
  /** The call context of one request, before its own signal and progress are added. */
  readonly call: () => CallContext | Promise<CallContext>;
  /** Told of a failure that has an HTTP status of its own (the table's kind `http`). */
  readonly onHttpFailure?: (error: ServiceError) => void;
}

/** Lists depend on the caller alone, and clients that keep a stream open hear of changes. */
const LIST_CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const;
const NO_CACHE = { ttlMs: 0, cacheScope: 'private' } as const;

/** Every one is advertised, since whether a list is empty depends on the caller. */
const CAPABILITIES: ServerCapabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/** The SDK's server, but for params that are not MCP's: those it answers with -32603 and the words of its validator. */
class CatalogServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, ctx) => {
      try {
        return await wrapped(request, ctx);
      } catch (thrown) {
        if (thrown instanceof ProtocolError) throw thrown;
        this.onerror?.(thrown as Error); // all that is thrown here is an Error
        const message = `The params are not those of ${method} in MCP: see its specification.`;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
      }
    };
  }
}

/**
 * The SDK's low-level server over a catalog: schemas go out as they are and arguments come in unchecked,
 * since the catalog checks them. It serves one request over HTTP, or one connection over stdio.
 */
export function buildServer(settings: ServerSettings): Server {
  const { version, asker, instructions, only } = settings;
  const server = new CatalogServer(
    { name: 'service-mcp', version },
    {
      capabilities: CAPABILITIES,
      supportedProtocolVersions: [...HANDSHAKE_VERSIONS],
      inputRequired: { legacyShim: false }, // its ids can be guessed, and it knows no session
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
  const methods = METHODS[asker.era];
  if (only !== undefined) methods.get(only)?.(server, settings);
  else for (const register of methods.values()) register(server, settings);
  return server;
}

const METHODS: Readonly<Record<Asker['era'], ReadonlyMap<string, Register>>> = {
  modern: new Map(Object.entries(CATALOG_METHODS)),
  legacy: new Map(Object.entries({ ...CATALOG_METHODS, ...SESSION_METHODS })),
};
