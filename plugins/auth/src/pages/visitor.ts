import { toServiceError, ERRORS, type AuditTrail, type Log, type RateLimits } from '@service-mcp/core';
import type { HttpMount } from '@service-mcp/core/http';
import type { Context, Middleware } from 'koa';
import type { GrantStore } from '../oauth/grant-store.js';
import type { MountedProvider } from '../oauth/mounted-provider.js';
import type { Account, Accounts, ProvenAccount } from '../services/accounts.js';
import { readSessionCookie, sessionCookie } from '../services/session-cookie.js';
import type { Sessions } from '../services/sessions.js';
import { showProblem } from './layout.js';

/** What the pages work with. */
export interface PageParts {
  readonly http: HttpMount;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly grants: GrantStore;
  readonly provider: MountedProvider;
  readonly limits: RateLimits;
  readonly audit: AuditTrail | undefined;
  readonly log: Log;
  /** Scopes that a token can have. */
  readonly scopes: readonly string[];
}

export interface Visitor {
  readonly account: Account;
  readonly sessionId: string;
}

const isSecure = ({ http }: PageParts) => http.origins().web.startsWith('https:');

/** Who is signed in in this browser. */
export async function visitorOf(parts: PageParts, ctx: Context): Promise<Visitor | undefined> {
  const cookie = readSessionCookie(ctx.headers, isSecure(parts));
  const visitor = cookie === undefined ? undefined : await parts.sessions.ofBrowser(cookie);
  return visitor?.account.disabled ? undefined : visitor;
}

/** Signs this browser in: a new session and cookie; the one it had ends. Throws as `Sessions.beginBrowser` does. */
export async function signIn(parts: PageParts, ctx: Context, account: ProvenAccount): Promise<Visitor> {
  const before = await visitorOf(parts, ctx);
  const { cookie, sessionId } = await parts.sessions.beginBrowser(account);
  if (before) await parts.sessions.end({ sessionId: before.sessionId });
  ctx.append('Set-Cookie', sessionCookie(cookie, isSecure(parts)));
  return { account, sessionId };
}

/** Signs this browser out, and says who was signed in. */
export async function signOut(parts: PageParts, ctx: Context): Promise<Visitor | undefined> {
  const visitor = await visitorOf(parts, ctx);
  if (visitor) await parts.sessions.end({ sessionId: visitor.sessionId });
  ctx.append('Set-Cookie', sessionCookie(undefined, isSecure(parts)));
  return visitor;
}

/** A handler whose failures are shown as a page. */
export function page(
  parts: Pick<PageParts, 'log'>,
  handler: (ctx: Context) => Promise<void> | void,
): Middleware {
  return async (ctx) => {
    try {
      await handler(ctx);
    } catch (thrown) {
      showFailure(parts.log, ctx, thrown);
    }
  };
}

export function showFailure(log: Log, ctx: Context, thrown: unknown): void {
  const error = toServiceError(thrown);
  if (error.code === 'INTERNAL') log.error({ err: thrown }, 'a page failed');
  const title = error.code === 'RATE_LIMITED' ? 'Too many tries' : 'This did not work';
  const message =
    error.code === 'INTERNAL'
      ? 'The service failed on this page. Try again; if it stays, tell the operator.'
      : error.message;
  showProblem(ctx, ERRORS[error.code].http, title, message);
}

/** Goes on at another page after a form. */
export function goTo(ctx: Context, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Referrer-Policy', 'same-origin');
}
