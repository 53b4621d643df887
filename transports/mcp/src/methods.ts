import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type HandlerResultTypeMap,
  type RequestMethod,
  type RequestTypeMap,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isInputRequired, ServiceError, type CallContext, type Catalog } from '@service-mcp/core';
import { briefEntry, toolEntry, WHOLE_SCHEMAS } from '@service-mcp/core/wire';
import { withSubscription, type ClientSession } from './client-session.js';
import { withElicitation } from './elicitation.js';
import { callTool } from './tool-call.js';
import { withCall, type NotFoundError, type ServerSettings } from './with-call.js';

/** MCP's limit of a completion; `total` and `hasMore` tell of the rest. */
const MAX_VALUES = 100;

/** Registers the handler of one method on a server. */
export type Register = (server: Server, settings: ServerSettings) => void;

type Params<M extends RequestMethod> = RequestTypeMap[M]['params'];

/** One method: its answer within the call, and the error of MCP where it names something that is not there. */
function method<M extends RequestMethod>(
  name: M,
  answer: (
    params: Params<M>,
    call: CallContext,
    settings: ServerSettings,
    ctx: ServerContext,
  ) => Promise<unknown>,
  notFound?: (params: Params<M>) => NotFoundError,
): readonly [name: string, Register] {
  return [
    name,
    (server, settings) =>
      server.setRequestHandler(name, ({ params }: { params?: Params<M> }, ctx) => {
        const given = params as Params<M>; // the SDK has checked them for this method
        return withCall<HandlerResultTypeMap[M]>(
          settings,
          ctx,
          (call) => answer(given, call, settings, ctx),
          notFound?.(given),
        );
      }),
  ];
}

type ListMethod = 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list';

/** Every list is one page, so every cursor is unknown. */
function list(
  name: ListMethod,
  read: (catalog: Catalog, call: CallContext, meta: Record<string, unknown> | undefined) => Promise<object>,
) {
  return method(name, async (params, call, { catalog }) => {
    if (params?.cursor === undefined) return read(catalog, call, params?._meta);
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'There is no such cursor: this list is one page. Ask for it without a cursor.',
    );
  });
}

const invalidName = () => ({ code: ProtocolErrorCode.InvalidParams });
const noResource = ({ uri }: { readonly uri: string }) => ({
  code: ProtocolErrorCode.ResourceNotFound,
  data: { uri },
});

/** Methods over the catalog: lists, tools, resources, prompts and completion. */
export const CATALOG_METHODS: ReadonlyMap<string, Register> = new Map([
  list('tools/list', async (catalog, call, meta) => ({
    tools: (await catalog.tools(call)).map(meta?.[WHOLE_SCHEMAS] === true ? toolEntry : briefEntry),
  })),
  list('resources/list', async (catalog, call) => ({ resources: await catalog.resources(call) })),
  list('resources/templates/list', async (catalog, call) => ({
    resourceTemplates: await catalog.resourceTemplates(call),
  })),
  list('prompts/list', async (catalog, call) => ({ prompts: await catalog.prompts(call) })),
  method('tools/call', (params, call, { catalog, requester }, ctx) =>
    callTool(catalog, requester, params, ctx, call),
  ),
  method(
    'resources/read',
    async ({ uri }, call, { catalog }) => ({ contents: await catalog.readResource(uri, call) }),
    noResource,
  ),
  method(
    'prompts/get',
    ({ name, arguments: args = {} }, call, { catalog, requester }, ctx) =>
      withElicitation(requester, ctx, `prompt ${name}`, call, async (own) => {
        const rendered = await catalog.prompt(name, args, own);
        if (isInputRequired(rendered)) return { kind: 'input_required', ...rendered };
        const result = { messages: rendered } as unknown as GetPromptResult; // the same shape, readonly on our side
        return { kind: 'finished', result };
      }),
    invalidName,
  ),
  method(
    'completion/complete',
    async ({ ref, argument, context }, call, { catalog }) => {
      const reference = ref.type === 'ref/prompt' ? { prompt: ref.name } : { template: ref.uri };
      const values = await catalog.complete(
        reference,
        { ...argument, ...(context?.arguments && { others: context.arguments }) },
        call,
      );
      const total = values.length;
      return { completion: { values: values.slice(0, MAX_VALUES), total, hasMore: total > MAX_VALUES } };
    },
    invalidName,
  ),
]);

/** The same, and those over the session of a handshake client: its log level and its subscriptions. */
export const HANDSHAKE_METHODS: ReadonlyMap<string, Register> = new Map([
  ...CATALOG_METHODS,
  method('logging/setLevel', async ({ level }, _call, settings) => {
    await sessionOf(settings).change(() => ({ logLevel: level }));
    return {};
  }),
  method(
    'resources/subscribe',
    async ({ uri }, call, settings) => {
      const session = sessionOf(settings);
      await settings.catalog.readResource(uri, call); // throws for a caller who may not read it
      await session.change(({ subscriptions }) => ({ subscriptions: withSubscription(subscriptions, uri) }));
      return {};
    },
    noResource,
  ),
  method('resources/unsubscribe', async ({ uri }, _call, settings) => {
    await sessionOf(settings).change(({ subscriptions }) => ({
      subscriptions: subscriptions.filter((other) => other !== uri),
    }));
    return {};
  }),
]);

function sessionOf({ requester }: ServerSettings): ClientSession {
  if (requester.era === 'legacy' && requester.session) return requester.session;
  throw new ServiceError(
    'INVALID_REQUEST',
    'This needs a session: send initialize, then its Mcp-Session-Id with each request.',
  );
}
