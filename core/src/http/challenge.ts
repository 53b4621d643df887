import type { Context } from 'koa';

/**
 * The `WWW-Authenticate` of an MCP endpoint, which names the metadata of the whole MCP origin. In reply to HEAD it names
 * that of the requested path: Gemini CLI probes with HEAD, and takes only metadata whose `resource` is the address that
 * it was given (RFC 9728, 3.3).
 */
export function challengeFor(ctx: Context, challenge: string): string {
  return ctx.method === 'HEAD'
    ? challenge.replace(/\/oauth-protected-resource(?=")/, (document) => document + ctx.path)
    : challenge;
}
