import { ServiceError, type Catalog, type InputRequest } from '@service-mcp/core';
import { sendJson, successJson, type HttpMount } from '@service-mcp/core/http';
import type { Context, Middleware } from 'koa';
import { gather, planArguments } from './arguments.js';
import type { Mounted } from './paths.js';
import { checkEncoding } from './query.js';

export interface AnswerHost {
  readonly catalog: Catalog;
  readonly http: HttpMount;
  readonly version: string;
}

/** Every route under the ceiling answers; a request may still narrow its toolset. */
const ALL_ROUTES = { ceiling: true };
const OPEN_ROUTE = { ceiling: true, anonymous: true };

/** The handler of one route: arguments in, envelope or bare page out. Failures are thrown to core's one error handler. */
export function answer({ tool, path, bare }: Mounted, { catalog, http, version }: AnswerHost): Middleware {
  const { name } = tool;
  const { method, status, bodyLimit } = tool.http;
  const plan = planArguments(tool, path);
  const options = tool.access.scope === 'public' ? OPEN_ROUTE : ALL_ROUTES;
  const hasBody = method === 'POST' || method === 'PATCH';

  return async (ctx: Context) => {
    const startedAt = performance.now();
    const call = await http.call(ctx, 'rest', options);
    if (plan.pathParameters.length > 0) checkEncoding(ctx.path, 'the path');
    const body = hasBody ? await http.readJson(ctx, bodyLimit) : undefined;
    const args = gather(plan, ctx['params'] as Record<string, string>, ctx.querystring, body);
    const result = await catalog.call(name, args, call);
    if (result.kind === 'input_required') throw cannotAsk(name, result.requests);
    const { structured } = result;
    const { requestId } = call;
    const meta = { requestId, startedAt, version };
    sendJson(ctx, status, bare ? JSON.stringify(structured) : successJson(structured, meta));
  };
}

function cannotAsk(name: string, requests: readonly InputRequest[]): ServiceError {
  return new ServiceError(
    'INVALID_REQUEST',
    `${name} asks the person behind the client before it goes on, which REST cannot carry. Call it over MCP.`,
    {
      details: {
        questions: requests.map((request) => ('message' in request ? request.message : request.method)),
      },
    },
  );
}
