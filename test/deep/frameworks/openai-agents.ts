import { load, type Definition, type Framework, type HttpServer } from './framework.js';

/** The parts of the Agents SDK that are used here. */
interface Agents {
  readonly MCPServerStreamableHttp: new (
    options: Pick<HttpServer, 'name' | 'url'> & {
      readonly requestInit: RequestInit;
      readonly useStructuredContent: boolean;
      readonly logger: object;
    },
  ) => { connect(): Promise<void>; close(): Promise<void> };
  readonly RunContext: new () => object;
  getAllMcpTools(options: {
    readonly mcpServers: readonly object[];
    readonly convertSchemasToStrict: boolean;
  }): Promise<readonly Tool[]>;
}
interface Tool extends Definition {
  invoke(context: object, args: string): Promise<unknown>;
}

/**
 * The Agents SDK of OpenAI, of both eras. A model gets a failure as the text of an answer, in the same form as a result:
 * only the code at its beginning tells them apart.
 */
export const openaiAgents: Framework = {
  name: '@openai/agents',
  says: { wrongArgument: /action: must be one of version, tools, toolsets, errors/, refused: /HTTP 401/ },
  async open({ name, url, headers }) {
    const sdk = (await load('@openai/agents')) as Agents;
    const quiet = () => undefined;
    const server = new sdk.MCPServerStreamableHttp({
      name,
      url,
      requestInit: { headers },
      useStructuredContent: true,
      logger: { namespace: name, debug: quiet, warn: quiet, error: quiet },
    });
    await server.connect();
    const tools = await sdk.getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: false });
    return {
      definitions: tools,
      async call(tool, args) {
        const given = JSON.stringify(args);
        const answer = await tools.find((each) => each.name === tool)?.invoke(new sdk.RunContext(), given);
        if (typeof answer === 'string') return { kind: 'result', data: JSON.parse(answer) as unknown };
        return { kind: 'failure', text: (answer as { readonly text: string }).text };
      },
      close: () => server.close(),
    };
  },
};
