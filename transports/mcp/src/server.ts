import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ERRORS, toServiceError, type CallContext, type Catalog, type ServiceError } from '@service-mcp/core';
import { HANDSHAKE_VERSIONS, rpcError, toolEntry } from '@service-mcp/core/wire';
import { asksForScope, callTool, inRequest } from './tool-call.js';

export interface ServerSettings {
  readonly catalog: Catalog;
  readonly version: string;
  /** True where the connection can tell the client that a list has changed. */
  readonly listChanged: boolean;
  /** True where messages can be sent to the client before the result. */
  readonly progress: boolean;
  readonly instructions?: string;
  /** The call context of one request, before its own signal and progress are added. */
  readonly call: () => CallContext | Promise<CallContext>;
  /** Told of a failure that has an HTTP status of its own (the table's kind `http`). */
  readonly onHttpFailure?: (error: ServiceError) => void;
}

/** Lists depend on the caller alone, and clients that keep a stream open hear of changes. */
const LIST_CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const;
const NO_CACHE = { ttlMs: 0, cacheScope: 'private' } as const;

/**
 * The SDK's low-level server over a catalog: schemas go out as they are and arguments come in unchecked,
 * since the catalog checks them. It serves one request over HTTP, or one connection over stdio.
 * Every capability is advertised, since whether a list is empty depends on the caller.
 */
export function buildServer(settings: ServerSettings): Server {
  const { catalog, version, listChanged, instructions } = settings;
  const changes = listChanged ? { listChanged: true } : {};
  const capabilities: ServerCapabilities = {
    tools: { ...changes },
    resources: { ...changes },
    prompts: { ...changes },
    completions: {},
  };
  const server = new Server(
    { name: 'service-mcp', version },
    {
      capabilities,
      supportedProtocolVersions: [...HANDSHAKE_VERSIONS],
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

  /** `missing`: the code of MCP for an absent thing of this kind. */
  const serve = async <T>(
    ctx: ServerContext,
    work: (call: CallContext) => Promise<unknown>,
    missing?: ProtocolErrorCode,
  ): Promise<T> => {
    const call = await settings.call();
    try {
      return (await inRequest(ctx.mcpReq, call, settings.progress, work)) as T; // our types are the SDK's, read-only
    } catch (thrown) {
      const error = toServiceError(thrown, call.requestId);
      if (error !== thrown) call.log.error({ err: thrown }, 'a catalog threw a foreign error');
      if (ERRORS[error.code].mcp === 'http' || asksForScope(error, call)) settings.onHttpFailure?.(error);
      const { code, message, data } = rpcError(error);
      const absent = error.code === 'NOT_FOUND' && missing !== undefined;
      throw new ProtocolError(absent ? missing : code, message, data);
    }
  };

  server.setRequestHandler('tools/list', (_request, ctx) =>
    serve(ctx, async (call) => ({ tools: (await catalog.tools(call)).map(toolEntry) })),
  );
  server.setRequestHandler('tools/call', ({ params }, ctx) =>
    serve(ctx, (call) => callTool(catalog, params.name, params.arguments ?? {}, call)),
  );
  server.setRequestHandler('resources/list', (_request, ctx) =>
    serve(ctx, async (call) => ({ resources: await catalog.resources(call) })),
  );
  server.setRequestHandler('resources/templates/list', (_request, ctx) =>
    serve(ctx, async (call) => ({ resourceTemplates: await catalog.resourceTemplates(call) })),
  );
  server.setRequestHandler('resources/read', ({ params }, ctx) =>
    serve(
      ctx,
      async (call) => ({ contents: await catalog.readResource(params.uri, call) }),
      ProtocolErrorCode.ResourceNotFound,
    ),
  );
  server.setRequestHandler('prompts/list', (_request, ctx) =>
    serve(ctx, async (call) => ({ prompts: await catalog.prompts(call) })),
  );
  server.setRequestHandler('prompts/get', ({ params }, ctx) =>
    serve(
      ctx,
      async (call) => ({ messages: await catalog.prompt(params.name, params.arguments ?? {}, call) }),
      ProtocolErrorCode.InvalidParams,
    ),
  );
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }, ctx) =>
    serve(
      ctx,
      async (call) => {
        const reference = ref.type === 'ref/prompt' ? { prompt: ref.name } : { template: ref.uri };
        const values = await catalog.complete(reference, argument, call);
        // MCP allows 100 values; `total` and `hasMore` say what was left out.
        const completion = {
          values: values.slice(0, 100),
          total: values.length,
          hasMore: values.length > 100,
        };
        return { completion };
      },
      ProtocolErrorCode.InvalidParams,
    ),
  );
  return server;
}
