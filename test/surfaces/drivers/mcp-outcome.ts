import assert from 'node:assert/strict';
import { ERRORS } from '@service-mcp/core';
import { ERROR_META } from '@service-mcp/core/wire';
import type { Driver, Failure, Outcome } from './driver.js';

/** What both generations of the MCP client have in common. */
export interface McpClient {
  listTools(): Promise<{ tools: readonly { name: string }[]; nextCursor?: string | undefined }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A driver over a connected client. Fails where the text of a result says something else than its data. */
export function mcpDriver(client: McpClient): Driver {
  return {
    async tools() {
      const { tools, nextCursor } = await client.listTools();
      assert.equal(nextCursor, undefined, 'tools/list is one page');
      return tools.map(({ name }) => name);
    },
    async call(name, args) {
      try {
        return read((await client.callTool({ name, arguments: { ...args } })) as ToolAnswer);
      } catch (thrown) {
        return { error: protocolFailure(thrown) };
      }
    },
    close: () => client.close(),
  };
}

function read({ content, structuredContent, isError, _meta }: ToolAnswer): Outcome {
  if (isError === true) {
    assert.equal(structuredContent, undefined, 'a failed call carries no data');
    const error = _meta?.[ERROR_META] as Failure;
    assert.match(content[0]?.text ?? '', new RegExp(`^${error.code}: `));
    return { error };
  }
  assert.ok(structuredContent, 'a finished call carries data');
  assert.deepEqual(JSON.parse(content[0]?.text ?? ''), structuredContent, 'the text is the whole data');
  return { structured: structuredContent };
}

/** A JSON-RPC error as the client threw it; anything else is passed on. */
function protocolFailure(thrown: unknown): Failure {
  const { code, message, data } = thrown as {
    code?: unknown;
    message: string;
    data?: { code?: keyof typeof ERRORS; details?: Failure['details'] };
  };
  if (!data?.code || !(data.code in ERRORS)) throw thrown;
  assert.equal(code, ERRORS[data.code].rpc);
  const said = message.replace(/^MCP error -\d+: /, ''); // the 1.x client's own words before the service's
  return { code: data.code, message: said, ...(data.details && { details: data.details }) };
}
