import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import {
  amendCall,
  anySignal,
  ERRORS,
  isChallenged,
  toServiceError,
  type CallContext,
  type Catalog,
  type Progress,
  type ServiceError,
} from '@service-mcp/core';
import { completeResult, errorResult } from '@service-mcp/core/wire';
import { assertUnderCap } from './cap.js';

/**
 * One `tools/call`. Errors of the table's kind `result` come back as a result with `isError`, so that the
 * model reads them; the others are thrown as ServiceError.
 */
export async function callTool(
  catalog: Catalog,
  name: string,
  args: unknown,
  call: CallContext,
): Promise<CallToolResult> {
  try {
    const result = completeResult(await catalog.call(name, args, call));
    await assertUnderCap(result, name, catalog, call);
    return result as unknown as CallToolResult; // the same shape, read-only on our side
  } catch (thrown) {
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

/**
 * Runs `work` with the request's own signal and, where it `reports`, progress added to the call. Reports are sent in order,
 * only while they grow (as MCP demands), and all before the result.
 */
export async function inRequest<T>(
  request: ServerContext['mcpReq'],
  call: CallContext,
  reports: boolean,
  work: (call: CallContext) => Promise<T>,
): Promise<T> {
  const signal = anySignal(
    () => call.signal,
    () => request.signal,
  );
  const progressToken = request._meta?.progressToken;
  if (!reports || progressToken === undefined) return work(amendCall(call, {}, signal));
  let sent = Promise.resolve();
  let last = -Infinity;
  const progress = (report: Progress): void => {
    if (!(report.progress > last)) return;
    last = report.progress;
    const params = { progressToken, ...report };
    sent = sent
      .then(() => request.notify({ method: 'notifications/progress', params }))
      .catch(() => undefined); // the client is gone: its signal ends the work
  };
  try {
    return await work(amendCall(call, { progress }, signal));
  } finally {
    await sent;
  }
}
