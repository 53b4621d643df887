import type Router from '@koa/router';
import type { Context, Middleware, Next } from 'koa';

/** One handler that an address leads to, with what it finds in its context. */
interface Step {
  readonly handler: Middleware;
  readonly captures: string[];
  readonly params: Readonly<Record<string, string>>;
}

interface Route {
  readonly matched: Router['stack'];
  readonly steps: readonly Step[];
}

/** Addresses kept; when there are more (ids in paths), the keeping starts anew. */
const MOST_KEPT = 1000;
const LONGEST_KEPT = 200;

/**
 * Dispatches to the routes of a router as its own `routes()` does, which tries the expression of every layer on every
 * request and composes a chain for it. Here that is done once an address. Routes are fixed from the first request on.
 */
export function dispatch(router: Router): Middleware {
  const kept = new Map<string, Route>();
  return (ctx, next) => {
    const { method, path } = ctx;
    const key = `${method} ${path}`;
    let route = kept.get(key);
    if (!route) {
      route = find(router, method, path);
      if (kept.size >= MOST_KEPT) kept.clear();
      if (route.steps.length > 0 && key.length <= LONGEST_KEPT) kept.set(key, route);
    }
    (ctx as { matched?: Router['stack'] }).matched = route.matched;
    return walk(route.steps, 0, ctx, next);
  };
}

function find(router: Router, method: string, path: string): Route {
  const { path: matched, pathAndMethod, route } = router.match(path, method);
  const steps = (route ? pathAndMethod : []).flatMap((layer) => {
    const captures = layer.captures(path);
    const params = layer.params(path, captures);
    return (layer.stack as Middleware[]).map((handler): Step => ({ handler, captures, params }));
  });
  return { matched, steps };
}

async function walk(steps: readonly Step[], at: number, ctx: Context, next: Next): Promise<void> {
  const step = steps[at];
  if (!step) return next();
  ctx['captures'] = step.captures;
  ctx['params'] = { ...step.params };
  await step.handler(ctx, () => walk(steps, at + 1, ctx, next));
}
