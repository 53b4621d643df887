import type Router from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { ServiceError } from '../errors.js';

type Layer = Router['stack'][number];
type Step = readonly [layer: Layer, handler: Middleware];

/** Methods in the order of an Allow header. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Dispatches to the routes of a router, the most specific first, and to the next one where a handler calls `next`.
 * The router's own `routes()` tries the expression of every route on every request; here routes are found by the
 * literal start of their path. Routes are fixed from the first request on. Throws NOT_FOUND and METHOD_NOT_ALLOWED.
 */
export function dispatch(router: Router): Middleware {
  let find: (path: string) => Layer[];
  return async (ctx, next) => {
    find ??= indexed(router.stack);
    const { method, path } = ctx;
    const layers = find(path);
    const steps = layers
      .filter(({ methods }) => methods.includes(method))
      .flatMap((layer) => layer.stack.map((handler): Step => [layer, handler as Middleware]));
    if (steps.length === 0) return refuse(ctx, layers);
    await walk(steps, 0, ctx, next);
    if (ctx.respond !== false && ctx.status === 404 && ctx.body === undefined) throw nothingHere();
  };
}

/** Finds the routes whose expression matches a path, those with the longest literal start first. */
function indexed(routes: readonly Layer[]): (path: string) => Layer[] {
  const byStart = new Map<string, Layer[]>();
  for (const layer of routes.toSorted(specificFirst)) {
    const start = startOf(layer.path);
    byStart.set(start, [...(byStart.get(start) ?? []), layer]);
  }
  const longest = Math.max(0, ...[...byStart.keys()].map(({ length }) => length));
  return (path) => {
    const found: Layer[] = [];
    for (
      let start = path.slice(0, longest + 1).toLowerCase();
      ;
      start = start.slice(0, start.lastIndexOf('/'))
    ) {
      for (const layer of byStart.get(start) ?? []) if (layer.regexp.test(path)) found.push(layer);
      if (!start.includes('/')) return found;
    }
  };
}

/** The segments of a path before the first that holds a parameter: `/v1/files` of `/v1/files/:id`. */
function startOf(path: string | RegExp): string {
  if (path instanceof RegExp) return '';
  return /^(?:\/[^/:*{(]+(?=\/|$))*/.exec(path)?.[0].toLowerCase() ?? '';
}

/** Literal segments before parameters, so that `/x/:id/recent` is not taken for `/x/:id/:part`; else as registered. */
function specificFirst(a: Layer, b: Layer): number {
  const [left, right] = [a, b].map(({ path }) => String(path).replaceAll(/:\w+/g, '~')) as [string, string];
  return left < right ? -1 : left > right ? 1 : 0;
}

async function walk(steps: readonly Step[], at: number, ctx: Context, next: Next): Promise<void> {
  const step = steps[at];
  if (!step) return next();
  const [{ regexp, paramNames }, handler] = step;
  const captures = regexp.exec(ctx.path)?.slice(1) ?? [];
  ctx['captures'] = captures;
  ctx['params'] = Object.fromEntries(
    paramNames.map(({ name }, index) => [name, decoded(captures[index] ?? '')]),
  );
  await handler(ctx, () => walk(steps, at + 1, ctx, next));
}

/** A parameter with a broken escape stays as it is: the handler says what is wrong with it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Answers a request that no route takes. */
function refuse(ctx: Context, layers: readonly Layer[]): void {
  const allowed = METHODS.filter((method) => layers.some(({ methods }) => methods.includes(method))).join(
    ', ',
  );
  if (allowed === '') throw nothingHere();
  ctx.set('Allow', allowed);
  if (ctx.method !== 'OPTIONS')
    throw new ServiceError(
      'METHOD_NOT_ALLOWED',
      `${ctx.method} is not possible at this address. Use ${allowed}.`,
    );
  ctx.status = 204;
}

function nothingHere(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    'There is nothing at this address. /mcp is the MCP endpoint; where REST is served, /openapi.json lists its routes.',
  );
}
