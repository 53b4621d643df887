import { invalidArgument, toServiceError, type Headers, type TransportContext } from '@service-mcp/core';
import { completeResult, toolEntry } from '@service-mcp/core/wire';
import type { Message } from './messages.js';

export type Parts = Pick<TransportContext<unknown>, 'accept' | 'catalog'>;

/** Answers one request: `{id}` lists the tools, `{id, tool, arguments}` calls one. */
export async function answer(
  { id, tool, arguments: args = {} }: Message,
  headers: Headers,
  signal: AbortSignal,
  { accept, catalog }: Parts,
): Promise<object> {
  try {
    // A list shows the default toolset, so that it stays small; a call by name reaches every tool that is allowed.
    const call = await accept({ headers, signal, ceiling: tool !== undefined });
    try {
      if (tool === undefined) return { id, tools: (await catalog.tools(call)).map(toolEntry) };
      if (typeof tool !== 'string') throw invalidArgument('/tool', 'must be the name of a tool');
      return { id, result: completeResult(await catalog.call(tool, args, call)) };
    } finally {
      call.finish();
    }
  } catch (error) {
    return { id, error: toServiceError(error).body };
  }
}
