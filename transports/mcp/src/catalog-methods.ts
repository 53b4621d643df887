import { ProtocolErrorCode, type GetPromptResult } from '@modelcontextprotocol/server';
import { isInputRequired, type CallContext } from '@service-mcp/core';
import { toolEntry } from '@service-mcp/core/wire';
import { withElicitation } from './elicitation.js';
import type { Register } from './server-settings.js';
import { refuseCursor, withCall } from './with-call.js';
import { callTool } from './tool-call.js';

/** MCP's limit of a completion; `total` and `hasMore` say what is missing. */
const MAX_VALUES = 100;

/** Methods over the catalog: lists, tools, resources, prompts and completion. */
export const CATALOG_METHODS: Readonly<Record<string, Register>> = {
  'tools/list': (server, settings) =>
    server.setRequestHandler('tools/list', ({ params }, ctx) =>
      withCall(settings, ctx, async (call) => {
        refuseCursor(params);
        return { tools: (await settings.catalog.tools(call)).map(toolEntry) };
      }),
    ),
  'tools/call': (server, settings) =>
    server.setRequestHandler('tools/call', ({ params }, ctx) =>
      withCall(settings, ctx, (call) => callTool(settings.catalog, settings.requester, params, ctx, call)),
    ),
  'resources/list': (server, settings) =>
    server.setRequestHandler('resources/list', ({ params }, ctx) =>
      withCall(settings, ctx, async (call) => {
        refuseCursor(params);
        return { resources: await settings.catalog.resources(call) };
      }),
    ),
  'resources/templates/list': (server, settings) =>
    server.setRequestHandler('resources/templates/list', ({ params }, ctx) =>
      withCall(settings, ctx, async (call) => {
        refuseCursor(params);
        return { resourceTemplates: await settings.catalog.resourceTemplates(call) };
      }),
    ),
  'resources/read': (server, settings) =>
    server.setRequestHandler('resources/read', ({ params: { uri } }, ctx) =>
      withCall(
        settings,
        ctx,
        async (call) => ({ contents: await settings.catalog.readResource(uri, call) }),
        {
          code: ProtocolErrorCode.ResourceNotFound,
          data: { uri },
        },
      ),
    ),
  'prompts/list': (server, settings) =>
    server.setRequestHandler('prompts/list', ({ params }, ctx) =>
      withCall(settings, ctx, async (call) => {
        refuseCursor(params);
        return { prompts: await settings.catalog.prompts(call) };
      }),
    ),
  'prompts/get': (server, settings) =>
    server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }, ctx) => {
      const render = async (call: CallContext) => {
        const rendered = await settings.catalog.prompt(name, args, call);
        if (isInputRequired(rendered)) return { kind: 'input_required' as const, ...rendered };
        const result = { messages: rendered } as unknown as GetPromptResult; // the same shape, readonly on our side
        return { kind: 'finished' as const, result };
      };
      return withCall(
        settings,
        ctx,
        (call) => withElicitation(settings.requester, ctx, `prompt ${name}`, call, render),
        {
          code: ProtocolErrorCode.InvalidParams,
        },
      );
    }),
  'completion/complete': (server, settings) =>
    server.setRequestHandler('completion/complete', ({ params: { ref, argument } }, ctx) =>
      withCall(
        settings,
        ctx,
        async (call) => {
          const reference = ref.type === 'ref/prompt' ? { prompt: ref.name } : { template: ref.uri };
          const values = await settings.catalog.complete(reference, argument, call);
          const completion = {
            values: values.slice(0, MAX_VALUES),
            total: values.length,
            hasMore: values.length > MAX_VALUES,
          };
          return { completion };
        },
        { code: ProtocolErrorCode.InvalidParams },
      ),
    ),
};
