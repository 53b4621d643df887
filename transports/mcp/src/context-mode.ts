import { invalidArgument } from '@service-mcp/core';
import { isRecord } from '@service-mcp/core/wire';
import type { Context } from 'koa';

/** Values of `?default_context_mode=`, the `mode` of a `context` call that names none. */
const MODES = ['fast', 'standard', 'pack'];
const TOOL = 'context';
/** Query strings that may hold the parameter, plain or escaped; others are not parsed. */
const MAY_NAME = /(?:^|&)(?:default_context_mode|[^=&]*%)/;

/** The mode in the URL of the endpoint, undefined when there is none. Throws INVALID_ARGUMENT for an unknown mode. */
export function contextModeOf(ctx: Context): string | undefined {
  if (ctx.querystring === '' || !MAY_NAME.test(ctx.querystring)) return undefined;
  const mode = ctx.query['default_context_mode'];
  if (mode === undefined) return undefined;
  if (typeof mode === 'string' && MODES.includes(mode)) return mode;
  throw invalidArgument('/default_context_mode', `must be one of ${MODES.join(', ')}, given once`);
}

/** The message, with `mode` filled in when it calls the tool `context` without one. */
export function withContextMode(body: unknown, mode: string | undefined): unknown {
  if (mode === undefined || !isRecord(body) || body['method'] !== 'tools/call') return body;
  const { params } = body;
  if (!isRecord(params) || params['name'] !== TOOL) return body;
  const args = params['arguments'] ?? {};
  if (!isRecord(args) || (args['mode'] ?? undefined) !== undefined) return body;
  return { ...body, params: { ...params, arguments: { ...args, mode } } };
}
