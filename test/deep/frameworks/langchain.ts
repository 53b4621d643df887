import { load, type Definition, type Framework, type HttpServer } from './framework.js';

/** The parts of LangChain that are used here. */
interface Adapters {
  readonly MultiServerMCPClient: new (config: {
    readonly mcpServers: Readonly<Record<string, Pick<HttpServer, 'url' | 'headers'>>>;
  }) => { getTools(): Promise<readonly object[]>; close(): Promise<void> };
}
interface Conversions {
  readonly convertToOpenAITool: (tool: object) => { readonly function: Definition };
}
interface Messages {
  readonly AIMessage: new (message: object) => object;
}
interface Graph {
  readonly ToolNode: new (tools: readonly object[]) => {
    invoke(state: {
      readonly messages: readonly object[];
    }): Promise<{ readonly messages: readonly ToolMessage[] }>;
  };
}
interface ToolMessage {
  readonly status: 'success' | 'error';
  readonly content: string;
  readonly artifact?: readonly { readonly type: string; readonly data?: unknown }[];
}

/** The adapters of LangChain, over the SDK's 1.x client. The node of its agents that calls tools answers a model's message. */
export const langchain: Framework = {
  name: '@langchain/mcp-adapters',
  says: {
    wrongArgument: /did not match expected schema/, // it does not tell which
    refused: /UNAUTHENTICATED/,
  },
  async open({ url, headers }) {
    const { MultiServerMCPClient } = (await load('@langchain/mcp-adapters')) as Adapters;
    const { convertToOpenAITool } = (await load('@langchain/core/utils/function_calling')) as Conversions;
    const { AIMessage } = (await load('@langchain/core/messages')) as Messages;
    const { ToolNode } = (await load('@langchain/langgraph/prebuilt')) as Graph;
    const client = new MultiServerMCPClient({ mcpServers: { service: { url, headers } } });
    const tools = await client.getTools();
    const node = new ToolNode(tools);
    return {
      definitions: tools.map((tool) => convertToOpenAITool(tool).function),
      async call(name, args) {
        const call = { type: 'tool_call', id: 'only', name, args };
        const asked = new AIMessage({ content: '', tool_calls: [call] });
        const [answer] = (await node.invoke({ messages: [asked] })).messages;
        if (answer?.status !== 'success') return { kind: 'failure', text: answer?.content ?? '' };
        const part = answer.artifact?.find(({ type }) => type === 'mcp_structured_content');
        return { kind: 'result', data: part?.data };
      },
      close: () => client.close(),
    };
  },
};
