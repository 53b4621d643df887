import type { Context } from 'koa';
import { showProblem } from '../pages/layout.js';
import { describeTarget } from '../pages/redirect-target.js';
import { PATHS } from './addresses.js';

/**
 * Shows a page in the place of a redirect of the authorization endpoint away from this service: nobody has consented yet,
 * and anybody can register a website or the scheme of any program, so that an address of this service would lead to it
 * (RFC 9700, 4.11.2). A program that waits at a loopback address gets its error.
 */
export function holdRedirect(ctx: Context, web: string): void {
  const location = ctx.response.get('Location');
  if (ctx.path !== PATHS.authorize || location === '') return;
  const url = new URL(location, web);
  if (url.origin === web || url.protocol === 'http:') return; // registered with loopback alone
  ctx.remove('Location');
  const error = new URLSearchParams(url.hash.slice(1) || url.search).getAll('error').at(-1); // a registered address may have one too
  url.search = url.hash = '';
  const target = describeTarget(url.href);
  showProblem(
    ctx,
    400,
    'The application was not connected',
    `The application at ${target} sent a request that failed (${error ?? 'unknown'}). This service does not vouch for that address: go back to it only if you know it.`,
    { href: location, text: `Go back to ${target}` },
  );
}
