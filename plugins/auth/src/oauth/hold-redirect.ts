import type { Context } from 'koa';
import { showProblem } from '../pages/layout.js';
import { describeTarget } from '../pages/redirect-target.js';
import { PATHS } from './addresses.js';

/**
 * Shows a page in the place of a redirect of the authorization endpoint to a website: nobody has consented yet, and
 * anybody can register one, so that an address of this service would lead to it (RFC 9700, 4.11.2). Programs and
 * applications of this device get their error.
 */
export function holdRedirect(ctx: Context, web: string): void {
  const location = ctx.response.get('Location');
  if (ctx.path !== PATHS.authorize || location === '') return;
  const { origin, protocol, search, hash } = new URL(location, web);
  if (origin === web || protocol !== 'https:') return;
  ctx.remove('Location');
  const error = new URLSearchParams(hash.slice(1) || search).getAll('error').at(-1); // a registered address may have one too
  const target = describeTarget(location);
  showProblem(
    ctx,
    400,
    'The application was not connected',
    `The application at ${target} sent a request that failed (${error ?? 'unknown'}). This service does not vouch for that address: go back to it only if you know it.`,
    { href: location, text: `Go back to ${target}` },
  );
}
