import type { Context } from 'koa';
import type { Surface } from '../caller.js';
import { isChallenged, toServiceError, type ServiceError } from '../errors.js';
import type { HttpBase } from './index.js';
import { namedOrigin } from '../named-origin.js';

/**
 * The `WWW-Authenticate` of an MCP endpoint, which names the metadata of the whole MCP origin, by the name that the
 * request has for it. In reply to HEAD it names that of the requested path: Gemini CLI probes with HEAD, and takes only
 * metadata whose `resource` is the address that it was given (RFC 9728, 3.3).
 */
export function challengeFor(ctx: Context, challenge: string): string {
  const path = ctx.method === 'HEAD' ? ctx.path : '';
  return challenge.replace(/(?<=resource_metadata=")[^"]+/, (address) => {
    if (!URL.canParse(address)) return address; // another auth plugin's
    const { origin, pathname } = new URL(address);
    return namedOrigin(ctx, origin) + pathname + path;
  });
}

/**
 * A thrown value as an error for the caller of a request: logged where it is foreign, and with the challenge of its
 * surface where a credential helps.
 */
export function failureOf(
  { challenge }: Pick<HttpBase, 'challenge'>,
  ctx: Context,
  surface: Surface,
  thrown: unknown,
): ServiceError {
  const error = toServiceError(thrown, ctx.state['requestId'] as string | undefined);
  if (error !== thrown) ctx.app.emit('error', thrown, ctx);
  if (isChallenged(error)) ctx.set('WWW-Authenticate', challengeFor(ctx, challenge(surface, error)));
  return error;
}
