import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { ServiceError } from '../errors.js';

type Layer = Router['stack'][number];

/** Methods in the order of an Allow header. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Dispatches to the routes of a router, the most specific first, and to the next one where a handler calls `next`.
 * The router's own `routes()` tries the expression of every route on every request; here routes are found by the
 * literal start of their path. Routes are fixed from the first request on. Rejects with NOT_FOUND and METHOD_NOT_ALLOWED.
 */
export function dispatch(router: Router): (ctx: Context) => Promise<unknown> {
  let find: (path: string) => Layer[];
  return (ctx) => {
    find ??= indexed(router.stack);
    return walk(find(ctx.path), 0, ctx);
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

/** Calls the handlers of the first route from `at` on that takes the method; `next` of the last goes on to the next route. */
function walk(layers: readonly Layer[], at: number, ctx: Context): Promise<unknown> {
  const from = layers.findIndex(({ methods }, index) => index >= at && methods.includes(ctx.method));
  const layer = layers[from];
  if (!layer) return at === 0 ? refuse(ctx, layers) : Promise.resolve();
  const captures = layer.regexp.exec(ctx.path)?.slice(1) ?? [];
  ctx['captures'] = captures;
  const params: Record<string, string> = {};
  for (const [index, { name }] of layer.paramNames.entries()) params[name] = decoded(captures[index] ?? '');
  ctx['params'] = params;
  const run = async (index: number): Promise<unknown> => {
    const handler = layer.stack[index] as Middleware | undefined; // what a Koa context lacks for it is set above
    return handler ? handler(ctx, () => run(index + 1)) : walk(layers, from + 1, ctx);
  };
  return run(0);
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
async function refuse(ctx: Context, layers: readonly Layer[]): Promise<void> {
  const allowed = METHODS.filter((method) => layers.some(({ methods }) => methods.includes(method))).join(
    ', ',
  );
  if (allowed === '') throw NOTHING_HERE;
  ctx.set('Allow', allowed);
  if (ctx.method !== 'OPTIONS')
    throw new ServiceError(
      'METHOD_NOT_ALLOWED',
      `${ctx.method} is not possible at this address. Use ${allowed}.`,
    );
  ctx.status = 204;
}

/** The refusal of an address that no route has. */
export const NOTHING_HERE = new ServiceError(
  'NOT_FOUND',
  'There is nothing at this address. /mcp is the MCP endpoint; where REST is served, /openapi.json lists its routes.',
);
