import {
  amendCall,
  invalidArgument,
  toServiceError,
  type Headers,
  type Progress,
  type TransportContext,
} from '@service-mcp/core';
import { completeResult, toolEntry } from '@service-mcp/core/wire';
import type { Message } from './messages.js';

export type Parts = Pick<TransportContext<unknown>, 'accept' | 'catalog'> & {
  /** The answers under way, which the stop waits for. */
  readonly running: Set<Promise<unknown>>;
};

/** Answers one request: `{id}` lists the tools, `{id, tool, arguments}` calls one; `report` tells of its progress. */
export async function answer(
  { id, tool, arguments: args = {} }: Message,
  headers: Headers,
  signal: AbortSignal,
  { accept, catalog }: Parts,
  report: (progress: Progress) => void,
): Promise<object> {
  try {
    // A list shows the default toolset, so that it stays small; a call by name reaches every tool that is allowed.
    const call = await accept({ headers, signal, ceiling: tool !== undefined });
    try {
      if (tool === undefined) return { id, tools: (await catalog.tools(call)).map(toolEntry) };
      if (typeof tool !== 'string') throw invalidArgument('/tool', 'must be the name of a tool');
      const result = await catalog.call(tool, args, amendCall(call, { progress: report }));
      return { id, result: completeResult(result) };
    } finally {
      call.finish();
    }
  } catch (error) {
    return { id, error: toServiceError(error).body };
  }
}
