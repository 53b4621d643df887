import assert from 'node:assert/strict';
import { ERRORS } from '@service-mcp/core';
import { ERROR_META } from '@service-mcp/core/wire';
import { defaultTools } from '../../checks/deployment.js';
import type { Driver, Failure, Outcome } from './driver.js';

/** The part that both generations of the MCP client share. */
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

/** Tools whose results have a text of their own. */
const WITH_TEXT = new Set((await defaultTools()).flatMap(({ tool }) => (tool.text ? [tool.name] : [])));

/** A driver over a connected client. Fails when the text of a result is neither its data as JSON nor the tool's own text. */
export function mcpDriver(client: McpClient): Driver {
  return {
    async tools() {
      const { tools, nextCursor } = await client.listTools();
      assert.equal(nextCursor, undefined, 'tools/list is one page');
      return tools.map(({ name }) => name);
    },
    async call(name, args) {
      try {
        return read(
          (await client.callTool({ name, arguments: { ...args } })) as ToolAnswer,
          WITH_TEXT.has(name),
        );
      } catch (thrown) {
        return { error: protocolFailure(thrown) };
      }
    },
    close: () => client.close(),
  };
}

function read({ content, structuredContent, isError, _meta }: ToolAnswer, withText: boolean): Outcome {
  if (isError === true) {
    assert.equal(structuredContent, undefined, 'a failed call carries no data');
    const error = _meta?.[ERROR_META] as Failure;
    assert.match(content[0]?.text ?? '', new RegExp(`^${error.code}: `));
    return { error };
  }
  assert.ok(structuredContent, 'a finished call carries data');
  const text = content[0]?.text ?? '';
  if (withText) assert.match(text, /^[^{]/, 'the text is the one of the tool');
  else assert.deepEqual(JSON.parse(text), structuredContent, 'the text is the whole data');
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
