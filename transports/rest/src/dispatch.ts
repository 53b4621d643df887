import Router from '@koa/router';
import { ServiceError } from '@service-mcp/core';
import type { Context, Middleware, Next } from 'koa';
import { answer, type AnswerHost } from './answer.js';
import { nothingHere } from './nothing-here.js';
import type { Mounted } from './paths.js';

/** Methods in the order of an Allow header. */
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** The routes that share the start of a path (`/api/v1/memory`): one small router a method. */
type Group = ReadonlyMap<string, Router>;

/**
 * Hangs every route on `host.http.router`, as one layer. @koa/router tries its layers one by one, so some 140
 * routes on the shared router would cost every request of every transport; here a group is found by name and
 * its few routes are tried. A wrong method on a known path is METHOD_NOT_ALLOWED; an unknown path goes on to core.
 */
export function mountRoutes(mounted: readonly Mounted[], host: AnswerHost): void {
  const starts = [...new Set(mounted.map(({ path }) => groupOf(path)))].sort((a, b) => b.length - a.length);
  if (starts.length === 0) return;
  const groups = new Map(
    starts.map((start) => {
      // A route that begins with a parameter belongs to every group it could match in.
      const routes = mounted.filter(
        ({ path }) => start === groupOf(path) || start.startsWith(`${groupOf(path)}/`),
      );
      return [start, groupRouters(routes, host)];
    }),
  );
  const pattern = starts.map((start) => start.replaceAll(/[^\w/]/g, String.raw`\$&`)).join('|');
  host.http.router.all(new RegExp(`^(${pattern})(?=/|$)`), (ctx, next) => {
    const group = groups.get(ctx.captures?.[0] ?? '') as Group; // the pattern lists the keys alone
    const layer = group.get(ctx.method === 'HEAD' ? 'GET' : ctx.method)?.stack.find(matches, ctx.path);
    if (!layer) return refuse(group, ctx, next);
    // What router.routes() would do, without composing a chain of one middleware for each request.
    ctx.params = layer.params(ctx.path, layer.captures(ctx.path));
    return (layer.stack[0] as Middleware)(ctx, next);
  });
}

function matches(this: string, layer: Router['stack'][number]): boolean {
  return layer.match(this);
}

/** The literal start of a path: `/v1` or `/api/v1` and the segment after it, unless that is a parameter. */
function groupOf(path: string): string {
  return (
    /^(?:\/api)?\/v1(?:\/[^/:]+(?=\/|$))?/.exec(path)?.[0] ?? /^(?:\/[^/:]+(?=\/|$))?/.exec(path)?.[0] ?? ''
  );
}

function groupRouters(routes: readonly Mounted[], host: AnswerHost): Group {
  const group = new Map<string, Router>();
  for (const method of METHODS) {
    const router = new Router({ sensitive: true });
    const own = routes.filter(({ tool }) => tool.http.method === method).sort(specificFirst);
    for (const route of own) router.register(route.path, [method], answer(route, host));
    if (own.length > 0) group.set(method, router);
  }
  return group;
}

/** Literal segments before parameters, so that `/x/recent` is not taken for `/x/:id`. */
function specificFirst(a: Mounted, b: Mounted): number {
  const [left, right] = [a, b].map(({ path }) => path.replaceAll(/:\w+/g, '~')) as [string, string];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** What becomes of a request that no route of the group takes. */
async function refuse(group: Group, ctx: Context, next: Next): Promise<void> {
  const allowed = [...group]
    .filter(([, { stack }]) => stack.some(matches, ctx.path))
    .map(([method]) => method);
  if (allowed.length > 0) {
    const allow = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    ctx.set('Allow', allow);
    if (ctx.method !== 'OPTIONS') {
      throw new ServiceError(
        'METHOD_NOT_ALLOWED',
        `${ctx.method} is not possible at this address. Use ${allow}.`,
      );
    }
    ctx.status = 204;
    return;
  }
  await next(); // another transport may have it
  if (ctx.status === 404 && !ctx.body) throw nothingHere();
}
