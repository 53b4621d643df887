import type { AuditTrail, Log, PendingMemberships, RateLimits } from '@service-mcp/core';
import type { HttpMount } from '@service-mcp/core/http';
import type { Context } from 'koa';
import type { Grants } from '../oauth/grant-store.js';
import type { ProviderCache } from '../oauth/provider-cache.js';
import type { Account } from '../schemas.js';
import { browserName } from './browser-name.js';
import type { ProvenAccount } from '../services/account-store.js';
import type { Accounts } from '../services/accounts.js';
import type { Invitations } from '../services/invitations.js';
import { browserSession } from '../services/credentials/browser.js';
import { sessionCookie } from '../services/session-cookie.js';
import type { Sessions } from '../services/sessions.js';

/** Dependencies of the pages. */
export interface PageParts {
  readonly http: HttpMount;
  readonly accounts: Accounts;
  readonly invitations: Invitations;
  readonly sessions: Sessions;
  readonly grants: Grants;
  readonly provider: ProviderCache;
  readonly limits: RateLimits;
  readonly audit: AuditTrail | undefined;
  readonly pending: PendingMemberships | undefined;
  readonly log: Log;
  /** The address of the local owner while it has no password, on the machine of its person alone. */
  readonly unopened: () => Promise<string | undefined>;
  /** Whether people have the dashboard, to which `/` leads them. */
  readonly hasDashboard: boolean;
  /** Scopes available to tokens. */
  readonly scopes: readonly string[];
}

export interface Visitor {
  readonly account: Account;
  readonly sessionId: string;
}

/** The signed-in visitor of this browser. */
export function visitorOf({ http, sessions }: PageParts, ctx: Context): Promise<Visitor | undefined> {
  return browserSession(ctx.headers, sessions, http.origins());
}

/** Signs this browser in with a new session, and ends its previous one. Throws like `Sessions.beginBrowser`. */
export async function signIn(parts: PageParts, ctx: Context, account: ProvenAccount): Promise<Visitor> {
  const before = await visitorOf(parts, ctx);
  const { cookie, sessionId } = await parts.sessions.beginBrowser(
    account,
    browserName(ctx.get('user-agent')),
  );
  if (before) await parts.sessions.end({ sessionId: before.sessionId });
  ctx.append('Set-Cookie', sessionCookie(cookie, parts.http.origins()));
  return { account, sessionId };
}

/** Signs this browser out. Returns the previous visitor. */
export async function signOut(parts: PageParts, ctx: Context): Promise<Visitor | undefined> {
  const visitor = await visitorOf(parts, ctx);
  if (visitor) await parts.sessions.end({ sessionId: visitor.sessionId });
  ctx.append('Set-Cookie', sessionCookie(undefined, parts.http.origins()));
  return visitor;
}
