import { ServiceError, amendCall, type CallContext, type Catalog, type ToolResult } from '@service-mcp/core';
import { openLineStream, receiveLines, sendJson, successJson, type HttpMount } from '@service-mcp/core/http';
import { unanswerable } from '@service-mcp/core/wire';
import type { Context, Middleware } from 'koa';
import { gather, planArguments } from './arguments.js';
import type { Mounted } from './paths.js';
import { checkEncoding } from './query.js';

export interface AnswerHost {
  readonly catalog: Catalog;
  readonly http: HttpMount;
  readonly version: string;
}

/** The handler of one route: arguments in, envelope or bare page out. Failures are thrown to core's one error handler. */
export function answer({ tool, path, bare }: Mounted, { catalog, http, version }: AnswerHost): Middleware {
  const { name } = tool;
  const { method, status, bodyLimit, streams } = tool.http;
  const plan = planArguments(tool, path);
  // Every route under the ceiling answers; a request may still narrow its toolset.
  const options = { ceiling: true, anonymous: tool.access.scope === 'public', rate: { tool: name } };
  const hasBody = (method === 'POST' || method === 'PATCH') && streams === undefined;

  return async (ctx: Context) => {
    const startedAt = performance.now();
    const call = await http.call(ctx, 'rest', options);
    if (plan.pathParameters.length > 0) checkEncoding(ctx.path, 'the path');
    const body = hasBody ? await http.readJson(ctx, bodyLimit) : undefined;
    const args = gather(plan, ctx['params'] as Record<string, string>, ctx.querystring, body);
    const run = async (own: CallContext) => structuredOf(await catalog.call(name, args, own));
    if (streams === 'out') return sendLines(ctx, call, run);
    const structured = await run(
      streams === 'in' ? amendCall(call, { lines: receiveLines(ctx, call) }) : call,
    );
    const { requestId } = call;
    const meta = { requestId, startedAt, version };
    return sendJson(ctx, status, bare ? JSON.stringify(structured) : successJson(structured, meta));
  };
}

/** Answers with the lines that a call sends, and its result as the last one. A failure after the head cuts the answer. */
async function sendLines(
  ctx: Context,
  call: CallContext,
  run: (call: CallContext) => Promise<object>,
): Promise<void> {
  if (ctx.method === 'HEAD') {
    ctx.set('Allow', 'GET');
    throw new ServiceError('METHOD_NOT_ALLOWED', 'HEAD is not possible at this address. Use GET.');
  }
  const stream = openLineStream(ctx, call);
  try {
    await stream.end(await run(amendCall(call, { send: (line) => stream.send(line) })));
  } catch (thrown) {
    if (!stream.started) throw thrown;
    stream.cut();
  }
}

function structuredOf(result: ToolResult): Readonly<Record<string, unknown>> {
  if (result.kind === 'input_required') throw unanswerable(result);
  return result.structured;
}
