import { ServiceError, type PendingMembership, type PendingMemberships } from '@service-mcp/core';
import { html } from '@service-mcp/core/http';
import type { Context } from 'koa';
import { sessionCaller } from '../services/sessions.js';
import { displayName } from './display-name.js';
import { hidden } from './form.js';
import { show } from './layout.js';
import { ACCOUNT_PATH } from './login-page.js';
import { withAudit } from './page-audit.js';
import { forVisitor, goTo, pageRoutes } from './page-routes.js';
import type { PageParts, Visitor } from './visitor.js';

export const INVITATIONS_PATH = `${ACCOUNT_PATH}/invitations`;
const SHOWN = { page: 1, per_page: 50 };

/** The page where a person accepts and declines invitations to workspaces. Nothing without the workspaces plugin. */
export function mountInvitations(parts: PageParts): void {
  const { pending } = parts;
  if (!pending) return;
  const { get, post } = pageRoutes(parts);
  const ofVisitor = forVisitor(parts, INVITATIONS_PATH);

  async function render(ctx: Context, visitor: Visitor, gone = false) {
    const { items, total } = await invitationsOf(pending as PendingMemberships, visitor);
    show(ctx, {
      title: 'Invitations',
      status: gone ? 404 : 200,
      body: html`${gone && html`<p class="notice bad" role="alert">This invitation was answered or withdrawn already, or has expired.</p>`}
        ${list(items)}
        ${total > items.length && html`<p class="muted">${total - items.length} older ones appear once these are answered.</p>`}
        <p class="muted">
          ${parts.hasDashboard && html`<a href="/">Open the dashboard</a> · `}<a href="${ACCOUNT_PATH}"
            >Your account</a
          >
        </p>`,
    });
  }
  get(
    INVITATIONS_PATH,
    ofVisitor((ctx, visitor) => render(ctx, visitor)),
  );
  post(
    INVITATIONS_PATH,
    ofVisitor(async (ctx, visitor, form) => {
      const decide = form.get('decision') === 'accept' ? 'accept' : 'decline';
      const id = form.get('id') ?? '';
      const action = { action: `members_${decide}`, visitor, ids: { membership_id: id } };
      try {
        await withAudit(parts, ctx, action, async () => {
          await pending[decide](callerOf(visitor), id);
          return visitor;
        });
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'NOT_FOUND') return render(ctx, visitor, true);
        throw error;
      }
      goTo(ctx, INVITATIONS_PATH);
    }),
  );
}

/** Invitations to workspaces that wait for a visitor, newest first. */
export function invitationsOf(pending: PendingMemberships, visitor: Visitor) {
  return pending.of(callerOf(visitor), SHOWN);
}

const callerOf = ({ account, sessionId }: Visitor) => sessionCaller(account, sessionId);

function list(items: readonly PendingMembership[]) {
  if (items.length === 0) return html`<p class="muted">None. Invitations to workspaces appear here.</p>`;
  const rows = items.map(({ id, workspace, role, invited_by: inviter }) => {
    const name = displayName(workspace.name);
    const button = (decision: string, text: string) =>
      html`<button
        class="button small"
        type="submit"
        name="decision"
        value="${decision}"
        aria-label="${text} ${name}"
      >
        ${text}
      </button>`;
    return html`<li>
      <span
        >${name}<br /><span class="muted"
          >as ${role}${inviter && html`, invited by ${displayName(inviter)}`}</span
        ></span
      >
      <form method="post" action="${INVITATIONS_PATH}">
        ${hidden('id', id)}${button('accept', 'Accept')} ${button('decline', 'Decline')}
      </form>
    </li>`;
  });
  return html`<p>
      Members of a workspace see what you store in it, and your AI tools read what they store. Accept only
      those that you expect.
    </p>
    <ul class="rows">
      ${rows}
    </ul>`;
}
