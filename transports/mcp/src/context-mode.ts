import { invalidArgument } from '@service-mcp/core';
import { isRecord } from '@service-mcp/core/wire';
import type { Context } from 'koa';

/** How deep the tool `context` looks, where a call does not say; `?default_context_mode=` of an endpoint. */
const MODES = ['fast', 'standard', 'pack'];
const TOOL = 'context';
/** The query string may hold it, spelled as it is or with escapes; others need no parsing here. */
const MAY_NAME = /(?:^|&)(?:default_context_mode|[^=&]*%)/;

/** The mode that the address of the endpoint gives; undefined where it gives none. Throws INVALID_ARGUMENT for another. */
export function contextModeOf(ctx: Context): string | undefined {
  if (ctx.querystring === '' || !MAY_NAME.test(ctx.querystring)) return undefined;
  const mode = ctx.query['default_context_mode'];
  if (mode === undefined) return undefined;
  if (typeof mode === 'string' && MODES.includes(mode)) return mode;
  throw invalidArgument('/default_context_mode', `must be one of ${MODES.join(', ')}, given once`);
}

/** The message with `mode` filled in where it calls the tool `context` without one. */
export function withContextMode(body: unknown, mode: string | undefined): unknown {
  if (mode === undefined || !isRecord(body) || body['method'] !== 'tools/call') return body;
  const { params } = body;
  if (!isRecord(params) || params['name'] !== TOOL) return body;
  const { arguments: args = {} } = params;
  if (!isRecord(args) || args['mode'] !== undefined) return body;
  return { ...body, params: { ...params, arguments: { ...args, mode } } };
}
