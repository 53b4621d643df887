import { ProtocolErrorCode, type GetPromptResult, type Server } from '@modelcontextprotocol/server';
import { isInputRequired, type CallContext } from '@service-mcp/core';
import { toolEntry } from '@service-mcp/core/wire';
import { inRounds } from './rounds.js';
import type { ServerSettings } from './server.js';
import { refuseCursor, serve } from './serving.js';
import { callTool } from './tool-call.js';

/** How many values MCP allows a completion; `total` and `hasMore` say what was left out. */
const MOST_VALUES = 100;

/** Lists, tools, resources, prompts and completion: what a catalog has. */
export function handleCatalog(server: Server, settings: ServerSettings): void {
  const { catalog, asker } = settings;
  server.setRequestHandler('tools/list', ({ params }, ctx) =>
    serve(settings, ctx, async (call) => {
      refuseCursor(params);
      return { tools: (await catalog.tools(call)).map(toolEntry) };
    }),
  );
  server.setRequestHandler('tools/call', ({ params }, ctx) =>
    serve(settings, ctx, (call) => callTool(catalog, asker, params, ctx, call)),
  );
  server.setRequestHandler('resources/list', ({ params }, ctx) =>
    serve(settings, ctx, async (call) => {
      refuseCursor(params);
      return { resources: await catalog.resources(call) };
    }),
  );
  server.setRequestHandler('resources/templates/list', ({ params }, ctx) =>
    serve(settings, ctx, async (call) => {
      refuseCursor(params);
      return { resourceTemplates: await catalog.resourceTemplates(call) };
    }),
  );
  server.setRequestHandler('resources/read', ({ params: { uri } }, ctx) =>
    serve(settings, ctx, async (call) => ({ contents: await catalog.readResource(uri, call) }), {
      code: ProtocolErrorCode.ResourceNotFound,
      data: { uri },
    }),
  );
  server.setRequestHandler('prompts/list', ({ params }, ctx) =>
    serve(settings, ctx, async (call) => {
      refuseCursor(params);
      return { prompts: await catalog.prompts(call) };
    }),
  );
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }, ctx) => {
    const render = async (call: CallContext) => {
      const rendered = await catalog.prompt(name, args, call);
      if (isInputRequired(rendered)) return { kind: 'input_required' as const, ...rendered };
      const result = { messages: rendered } as unknown as GetPromptResult; // the same shape, read-only on our side
      return { kind: 'finished' as const, result };
    };
    return serve(settings, ctx, (call) => inRounds(asker, ctx, `prompt ${name}`, call, render), {
      code: ProtocolErrorCode.InvalidParams,
    });
  });
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }, ctx) =>
    serve(
      settings,
      ctx,
      async (call) => {
        const reference = ref.type === 'ref/prompt' ? { prompt: ref.name } : { template: ref.uri };
        const values = await catalog.complete(reference, argument, call);
        const completion = {
          values: values.slice(0, MOST_VALUES),
          total: values.length,
          hasMore: values.length > MOST_VALUES,
        };
        return { completion };
      },
      { code: ProtocolErrorCode.InvalidParams },
    ),
  );
}
