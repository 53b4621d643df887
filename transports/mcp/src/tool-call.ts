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
import { errorResult } from '@service-mcp/core/wire';
import { limitResult } from './result-limit/limit-result.js';
import { withElicitation, type ClientRequester } from './elicitation.js';

/**
 * One `tools/call`. Errors of the table's kind `result` become a result with `isError`, so that the model reads them; the
 * others are thrown as ServiceError.
 */
export async function callTool(
  catalog: Catalog,
  requester: ClientRequester,
  { name, arguments: args = {} }: { readonly name: string; readonly arguments?: unknown },
  ctx: ServerContext,
  call: CallContext,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    return await withElicitation(requester, ctx, `tool ${name}`, call, async (own) => {
      const result = await catalog.call(name, args, own);
      if (result.kind === 'input_required') return result;
      const shown = limitResult(result, args);
      return { kind: 'finished', result: shown as unknown as CallToolResult }; // the same shape, readonly on our side
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
 * An OAuth client can ask its user for a further scope when HTTP names it: its refusal is a 403 with a challenge
 * (RFC 6750, 3.1). A model with any other credential gets a result.
 */
export function asksForScope(error: ServiceError, { caller }: CallContext): boolean {
  return caller.kind === 'oauth' && error.code === 'PERMISSION_DENIED' && isChallenged(error);
}
