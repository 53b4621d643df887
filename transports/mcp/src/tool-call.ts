import {
  ProtocolError,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {
  ERRORS,
  isChallenged,
  toServiceError,
  type CallContext,
  type Catalog,
  type ServiceError,
} from '@service-mcp/core';
import { completeResult, errorResult } from '@service-mcp/core/wire';
import { capped } from './cap/cap.js';
import { inRounds, type Asker } from './rounds.js';

/**
 * One `tools/call`. Errors of the table's kind `result` come back as a result with `isError`, so that the
 * model reads them; the others are thrown as ServiceError.
 */
export async function callTool(
  catalog: Catalog,
  asker: Asker,
  { name, arguments: args = {} }: { readonly name: string; readonly arguments?: unknown },
  ctx: ServerContext,
  call: CallContext,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    return await inRounds(asker, ctx, `tool ${name}`, call, async (own) => {
      const result = await catalog.call(name, args, own);
      if (result.kind === 'input_required') return result;
      const shown = await capped(completeResult(result), { tool: name, args, catalog, call: own });
      return { kind: 'finished', result: shown as unknown as CallToolResult }; // the same shape, read-only on our side
    });
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    const error = toServiceError(thrown, call.requestId);
    if (error !== thrown) call.log.error({ err: thrown, tool: name }, 'a catalog threw a foreign error');
    if (ERRORS[error.code].mcp !== 'result' || asksForScope(error, call)) throw error;
    return errorResult(error) as unknown as CallToolResult; // as above
  }
}

/**
 * An OAuth client can ask its user for a further scope, when HTTP says which: then a refusal is an answer 403
 * with a challenge (RFC 6750, 3.1), where a model that holds any other credential reads a result.
 */
export function asksForScope(error: ServiceError, { caller }: CallContext): boolean {
  return caller.kind === 'oauth' && error.code === 'PERMISSION_DENIED' && isChallenged(error);
}
