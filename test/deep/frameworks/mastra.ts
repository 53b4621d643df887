import type { JsonSchema } from '@service-mcp/core';
import { load, type Framework } from './framework.js';

/** The parts of Mastra that are used here. */
interface Mastra {
  readonly MCPClient: new (options: {
    readonly id: string;
    readonly servers: Readonly<Record<string, { readonly url: URL; readonly requestInit: RequestInit }>>;
  }) => {
    __setLogger(logger: unknown): void;
    listToolsWithErrors(): Promise<{
      readonly tools: Readonly<Record<string, Tool>>;
      readonly errors: Readonly<Record<string, string>>;
    }>;
    disconnect(): Promise<void>;
  };
}
interface Tool {
  readonly inputSchema: {
    readonly '~standard': {
      readonly jsonSchema: { input(options: { readonly target: 'draft-07' }): JsonSchema };
    };
  };
  execute(args: object, context: object): Promise<unknown>;
}

const PREFIX = 'service_';

/** The client of Mastra, of both eras. A failure is a thrown error; wrong arguments are a result with `error: true`. */
export const mastra: Framework = {
  name: '@mastra/mcp',
  says: { wrongArgument: /action: must be equal to one of the allowed values/, refused: /HTTP 401/ },
  async open({ url, headers }) {
    const { MCPClient } = (await load('@mastra/mcp')) as Mastra;
    const { noopLogger } = (await load('@mastra/core/logger')) as { readonly noopLogger: unknown };
    const servers = { service: { url: new URL(url), requestInit: { headers } } };
    const client = new MCPClient({ id: crypto.randomUUID(), servers });
    client.__setLogger(noopLogger); // it prints each failure otherwise
    const { tools, errors } = await client.listToolsWithErrors();
    if (errors['service'] !== undefined) throw new Error(errors['service']);
    return {
      definitions: Object.entries(tools).map(([name, tool]) => ({
        name: name.slice(PREFIX.length),
        parameters: tool.inputSchema['~standard'].jsonSchema.input({ target: 'draft-07' }),
      })),
      async call(name, args) {
        try {
          const data = await tools[`${PREFIX}${name}`]?.execute(args, {});
          const { error, message } = data as { readonly error?: boolean; readonly message: string };
          return error ? { kind: 'failure', text: message } : { kind: 'result', data };
        } catch (thrown) {
          if (!(thrown instanceof Error)) throw thrown;
          return { kind: 'failure', text: thrown.message };
        }
      },
      close: () => client.disconnect(),
    };
  },
};
