import assert from 'node:assert/strict';
import { ERRORS } from '@service-mcp/core';
import type { Failure, SurfaceDriver } from './driver.js';

interface Reply {
  readonly jsonrpc: string;
  readonly id: number;
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly structuredContent?: Record<string, unknown>;
  };
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data: { readonly code: keyof typeof ERRORS; readonly details?: Failure['details'] };
  };
}

export const jsonRpc: SurfaceDriver = {
  name: 'JSON-RPC',
  unknownTool: 'UNKNOWN_TOOL',
  async open({ url }) {
    let last = 0;
    const send = async (method: string, params: object): Promise<Reply> => {
      const id = ++last;
      const response = await fetch(`${url}/api/v1/rpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-toolset': 'complete' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      });
      const reply = (await response.json()) as Reply;
      assert.equal(response.status, 200);
      assert.deepEqual([reply.jsonrpc, reply.id], ['2.0', id]);
      return reply;
    };
    return {
      tools: async () => ((await send('tools/list', {})).result?.tools ?? []).map(({ name }) => name),
      async call(name, args) {
        const { result, error } = await send('tools/call', { name, arguments: args });
        if (!error) return { structured: result?.structuredContent ?? {} };
        const { code, details } = error.data;
        assert.equal(error.code, ERRORS[code].rpc);
        return { error: { code, message: error.message, ...(details && { details }) } };
      },
      close: () => Promise.resolve(),
    };
  },
};
