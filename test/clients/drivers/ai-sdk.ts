import { createMCPClient, type ListToolsResult } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { endingOf, type ClientDriver, type Server, type ToolAnswer } from '../support/client.js';

/** The client of the AI SDK, which has a protocol implementation of its own. It asks for no progress. */
export const aiSdk: ClientDriver = {
  name: '@ai-sdk/mcp',
  showsProgress: false,
  cancels: ['http'], // over standard input it only stops to wait
  async open(server) {
    const complaints: string[] = [];
    const client = await createMCPClient({
      transport: transportTo(server),
      onUncaughtError: (error) => complaints.push(String(error)),
    });
    return {
      tools: async () => (await client.listTools()).tools,
      async call(name, args, { signal } = {}) {
        // The client builds tools from definitions; the server may lack this one.
        const definition = { name, inputSchema: { type: 'object' } } as ListToolsResult['tools'][number];
        const tool = client.toolsFromDefinitions({ tools: [definition] })[name];
        if (!tool) throw new Error('the client made no tool');
        const options = { toolCallId: '1', messages: [], ...(signal && { abortSignal: signal }) };
        try {
          return endingOf((await tool.execute(args, options)) as ToolAnswer); // not streamed: the tools are MCP's
        } catch (thrown) {
          if (signal?.aborted || !isRefusal(thrown)) throw thrown;
          return { kind: 'refusal', text: thrown.message };
        }
      },
      complaints: () => complaints,
      close: () => client.close(),
    };
  },
};

function transportTo(server: Server): Parameters<typeof createMCPClient>[0]['transport'] {
  if (server.kind === 'http') return { type: 'http', url: server.url, headers: { ...server.headers } };
  const { command, args, env } = server;
  return new Experimental_StdioMCPTransport({ command, args: [...args], env: { ...env } });
}

/** A JSON-RPC error, of which the client keeps the code. */
function isRefusal(thrown: unknown): thrown is Error {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'number';
}
