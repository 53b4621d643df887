import { BODY_LIMIT, ERRORS, invalidArgument, type ToolInfo } from '@service-mcp/core';
import { failureOf, type HttpMount } from '@service-mcp/core/http';
import { MAX_DEPTH, SESSION_HEADER, isDeeperThan, isRecord, largestBody } from '@service-mcp/core/wire';
import type { Context } from 'koa';
import { checkParameters } from './check-parameters.js';
import { callNamed, initialize, listTools, type Service } from './methods.js';
import { inSession } from './rpc.js';

type Body = Readonly<Record<string, unknown>>;

/** The compatibility routes of interface.md 4.4 that are not JSON-RPC: plain bodies, and the statuses of the error table. */
export function mountCompatibility(service: Service, http: HttpMount, declared: readonly ToolInfo[]): void {
  const { router } = http;
  const largest = largestBody(declared);
  const limits = new Map(declared.map(({ name, http: route }) => [name, route?.bodyLimit ?? BODY_LIMIT]));
  const limitOf = (tool: string) => limits.get(tool) ?? BODY_LIMIT;

  router.post('/api/v1/initialize', (ctx) =>
    plain(http, ctx, async () => {
      const call = await http.call(ctx, 'rpc', { rate: 'messages' });
      checkParameters(ctx, 'Send the params of initialize in the body.');
      const body = objectOf(await http.readJson(ctx, BODY_LIMIT));
      const { result, session } = await initialize(service, body, call);
      ctx.set(SESSION_HEADER, session.id);
      return { ...result, session_id: session.id };
    }),
  );
  router.get('/api/v1/tools/list', (ctx) =>
    plain(http, ctx, async () => {
      const call = await http.call(ctx, 'rpc');
      checkParameters(ctx, 'The answer holds every tool.');
      return listTools(service, await inSession(ctx, service.sessions, call));
    }),
  );
  router.post('/api/v1/tools/call', (ctx) =>
    plain(http, ctx, async () => {
      const call = await http.call(ctx, 'rpc', { ceiling: true, rate: 'messages' });
      checkParameters(ctx, 'Send name and arguments in the body.');
      const params = namedCall(objectOf(await http.readJson(ctx, largest)));
      return callNamed(service, params, undefined, await inSession(ctx, service.sessions, call));
    }),
  );
  router.post('/api/v1/tools/:name', (ctx) =>
    plain(http, ctx, async () => {
      const name = (ctx.params as Readonly<Record<string, string>>)['name'] ?? '';
      const call = await http.call(ctx, 'rpc', { ceiling: true, rate: { tool: name } });
      checkParameters(ctx, 'Send the arguments of the tool in the body.');
      const args = objectOf(await http.readJson(ctx, limitOf(name)));
      return callNamed(
        service,
        { name, arguments: args },
        undefined,
        await inSession(ctx, service.sessions, call),
      );
    }),
  );
}

/** `{name, arguments}` with their aliases `tool` and `input`; nothing else, and not both of a pair. */
function namedCall(body: Body): Body {
  for (const field of Object.keys(body)) {
    if (!['name', 'tool', 'arguments', 'input'].includes(field)) {
      throw invalidArgument(`/${field}`, 'is not known here; send name and arguments');
    }
  }
  if (body['name'] !== undefined && body['tool'] !== undefined) {
    throw invalidArgument('/tool', 'is an alias of name; send one of them');
  }
  if (body['arguments'] !== undefined && body['input'] !== undefined) {
    throw invalidArgument('/input', 'is an alias of arguments; send one of them');
  }
  return { name: body['name'] ?? body['tool'], arguments: body['arguments'] ?? body['input'] };
}

/** A body left out is an empty object. */
function objectOf(body: unknown): Body {
  if (body === undefined) return {};
  if (!isRecord(body)) throw invalidArgument('', 'the body must be a JSON object');
  if (isDeeperThan(body, MAX_DEPTH))
    throw invalidArgument('', `must not nest deeper than ${MAX_DEPTH} levels`);
  return body;
}

/** Answers with the result of `work`, unless it has answered itself; a failure with the status of the error table. */
export async function plain(
  http: HttpMount,
  ctx: Context,
  work: () => Promise<object | undefined>,
): Promise<void> {
  try {
    const body = await work();
    if (body) ctx.body = body;
  } catch (thrown) {
    const error = failureOf(http, ctx, 'rpc', thrown);
    ctx.status = ERRORS[error.code].http;
    ctx.body = { error: error.body };
  }
}
