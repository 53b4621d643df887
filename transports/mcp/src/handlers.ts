import { ProtocolErrorCode, type GetPromptResult, type Server } from '@modelcontextprotocol/server';
import { isInputRequired, type CallContext } from '@service-mcp/core';
import { toolEntry } from '@service-mcp/core/wire';
import { inRounds } from './rounds.js';
import type { ServerSettings } from './server.js';
import { refuseCursor, serve } from './serving.js';
import { callTool } from './tool-call.js';

/** How many values MCP allows a completion; `total` and `hasMore` say what was left out. */
const MOST_VALUES = 100;

/** Has a server answer one method. */
export type Register = (server: Server, settings: ServerSettings) => void;

/** Lists, tools, resources, prompts and completion: what a catalog has. */
export const CATALOG_METHODS: Readonly<Record<string, Register>> = {
  'tools/list': (server, settings) =>
    server.setRequestHandler('tools/list', ({ params }, ctx) =>
      serve(settings, ctx, async (call) => {
        refuseCursor(params);
        return { tools: (await settings.catalog.tools(call)).map(toolEntry) };
      }),
    ),
  'tools/call': (server, settings) =>
    server.setRequestHandler('tools/call', ({ params }, ctx) =>
      serve(settings, ctx, (call) => callTool(settings.catalog, settings.asker, params, ctx, call)),
    ),
  'resources/list': (server, settings) =>
    server.setRequestHandler('resources/list', ({ params }, ctx) =>
      serve(settings, ctx, async (call) => {
        refuseCursor(params);
        return { resources: await settings.catalog.resources(call) };
      }),
    ),
  'resources/templates/list': (server, settings) =>
    server.setRequestHandler('resources/templates/list', ({ params }, ctx) =>
      serve(settings, ctx, async (call) => {
        refuseCursor(params);
        return { resourceTemplates: await settings.catalog.resourceTemplates(call) };
      }),
    ),
  'resources/read': (server, settings) =>
    server.setRequestHandler('resources/read', ({ params: { uri } }, ctx) =>
      serve(settings, ctx, async (call) => ({ contents: await settings.catalog.readResource(uri, call) }), {
        code: ProtocolErrorCode.ResourceNotFound,
        data: { uri },
      }),
    ),
  'prompts/list': (server, settings) =>
    server.setRequestHandler('prompts/list', ({ params }, ctx) =>
      serve(settings, ctx, async (call) => {
        refuseCursor(params);
        return { prompts: await settings.catalog.prompts(call) };
      }),
    ),
  'prompts/get': (server, settings) =>
    server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }, ctx) => {
      const render = async (call: CallContext) => {
        const rendered = await settings.catalog.prompt(name, args, call);
        if (isInputRequired(rendered)) return { kind: 'input_required' as const, ...rendered };
        const result = { messages: rendered } as unknown as GetPromptResult; // the same shape, read-only on our side
        return { kind: 'finished' as const, result };
      };
      return serve(settings, ctx, (call) => inRounds(settings.asker, ctx, `prompt ${name}`, call, render), {
        code: ProtocolErrorCode.InvalidParams,
      });
    }),
  'completion/complete': (server, settings) =>
    server.setRequestHandler('completion/complete', ({ params: { ref, argument } }, ctx) =>
      serve(
        settings,
        ctx,
        async (call) => {
          const reference = ref.type === 'ref/prompt' ? { prompt: ref.name } : { template: ref.uri };
          const values = await settings.catalog.complete(reference, argument, call);
          const completion = {
            values: values.slice(0, MOST_VALUES),
            total: values.length,
            hasMore: values.length > MOST_VALUES,
          };
          return { completion };
        },
        { code: ProtocolErrorCode.InvalidParams },
      ),
    ),
};
