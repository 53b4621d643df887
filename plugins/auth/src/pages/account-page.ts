import { html } from '@service-mcp/core/http';
import type { Context } from 'koa';
import type { Connection } from '../oauth/grant-store.js';
import { field, formError, formErrors, hidden, type FormErrors } from './form.js';
import { INVITATIONS_PATH, invitationsOf } from './invitations-page.js';
import { show } from './layout.js';
import { ACCOUNT_PATH } from './login-page.js';
import { newPasswordFields, newPasswordProblem } from './new-password.js';
import { auditAction, withAudit } from './page-audit.js';
import { forVisitor, goTo, pageRoutes } from './page-routes.js';
import { localPath } from './redirect-target.js';
import { displayName } from './display-name.js';
import { signOut, type PageParts, type Visitor } from './visitor.js';

/** The account page: profile, connected applications, password, sign-out. */
export function mountAccount(parts: PageParts): void {
  const { http, accounts, grants, pending } = parts;
  const { get, post } = pageRoutes(parts);
  const ofVisitor = forVisitor(parts, ACCOUNT_PATH);

  async function render(ctx: Context, visitor: Visitor, message?: { notice?: string; errors?: FormErrors }) {
    const connections = await grants.connections(visitor.account.id);
    const waiting = pending ? (await invitationsOf(pending, visitor)).total : 0;
    show(ctx, {
      title: 'Your account',
      status: message?.errors?.status ?? 200,
      body: html`${message?.notice !== undefined && html`<p class="notice good" role="status">${message.notice}</p>`}
        ${parts.hasDashboard && html`<p><a href="/">Open the dashboard</a></p>`} ${invitationsLink(waiting)}
        ${accountDetails(visitor)} ${connectedApplications(connections)}
        ${passwordForm(visitor, message?.errors)}
        <h2>Sign out</h2>
        <form method="post" action="/oauth/logout">
          <button class="button" type="submit">Sign out of this browser</button>
        </form>`,
    });
  }
  get(
    ACCOUNT_PATH,
    ofVisitor((ctx, visitor) => render(ctx, visitor)),
  );
  post(
    `${ACCOUNT_PATH}/disconnect`,
    ofVisitor(async (ctx, visitor, form) => {
      const ids = { client_id: form.get('client_id') ?? '' };
      await withAudit(parts, ctx, { action: 'oauth_disconnect', visitor, ids }, async () => {
        await grants.disconnect(visitor.account.id, ids);
        return visitor;
      });
      goTo(ctx, ACCOUNT_PATH);
    }),
  );
  post(
    `${ACCOUNT_PATH}/password`,
    ofVisitor(async (ctx, visitor, form) => {
      const problem = newPasswordProblem(form);
      if (problem) return render(ctx, visitor, { errors: problem });
      try {
        await withAudit(parts, ctx, { action: 'auth_password', visitor }, async () => {
          await accounts.setPassword({
            userId: visitor.account.id,
            currentPassword: form.get('current_password') ?? '',
            newPassword: form.get('new_password') ?? '',
            peer: http.peer(ctx),
            keep: visitor.sessionId,
          });
          return visitor;
        });
      } catch (error) {
        return render(ctx, visitor, { errors: formErrors(error, ['new_password'], 'current_password') });
      }
      await render(ctx, visitor, {
        notice:
          'Your password is changed. Every other browser and application is signed out; API keys still work.',
      });
    }),
  );
  get('/oauth/logout', (ctx) =>
    show(ctx, {
      title: 'Sign out',
      body: html`<form method="post" action="/oauth/logout">
        <button class="button primary" type="submit">Sign out of this browser</button>
      </form>`,
    }),
  );
  post('/oauth/logout', async (ctx, form) => {
    const visitor = await signOut(parts, ctx);
    if (visitor) await auditAction(parts, ctx, { action: 'auth_logout', visitor });
    goTo(ctx, localPath(form.get('return_to'), http.origins().web, '/oauth/login'));
  });
}

function invitationsLink(waiting: number) {
  const some =
    waiting === 1 ? 'An invitation to a workspace waits' : `${waiting} invitations to workspaces wait`;
  return waiting > 0 && html`<p class="notice"><a href="${INVITATIONS_PATH}">${some} for your answer</a></p>`;
}

function accountDetails({ account }: Visitor) {
  return html`<dl class="facts">
    <dt>Name</dt>
    <dd>${account.name}</dd>
    <dt>E-mail</dt>
    <dd>${account.email}</dd>
    <dt>Account since</dt>
    <dd>${account.created_at.slice(0, 10)}</dd>
    ${
      account.administrator &&
      html`<dt>Role</dt>
        <dd>Administrator of this service</dd>`
    }
  </dl>`;
}

/** RFC 3339 to the minute, for people. */
const minute = (time: string) => time.slice(0, 16).replace('T', ' ');

function connectedApplications(connections: readonly Connection[]) {
  const rows = connections.map(
    ({ clientId, clientName, since, lastUsedAt }) =>
      html`<li>
        <span
          >${displayName(clientName)}<br /><span class="muted"
            >since ${minute(new Date(since).toISOString())},
            ${lastUsedAt === null ? 'not used yet' : `last used ${minute(lastUsedAt)} UTC`}</span
          ></span
        >
        <form method="post" action="${ACCOUNT_PATH}/disconnect">
          ${hidden('client_id', clientId)}<button
            class="button small"
            type="submit"
            aria-label="Disconnect ${displayName(clientName)}"
          >
            Disconnect
          </button>
        </form>
      </li>`,
  );
  return html`<h2>Connected applications</h2>
    ${
      rows.length > 0
        ? html`<ul class="rows">
            ${rows}
          </ul>`
        : html`<p class="muted">None. Applications that you authorize appear here.</p>`
    }`;
}

function passwordForm({ account }: Visitor, errors: FormErrors | undefined) {
  if (!account.has_password) {
    return html`<h2>Password</h2>
      <p class="muted">
        You have no password yet. The operator of this service can create a link to set one, with
        <code>service-mcp accounts reset</code>.
      </p>`;
  }
  return html`<h2>Change password</h2>
    <p class="muted">
      This signs out every other browser and application. API keys still work: list them with
      <code>service-mcp keys list</code> and revoke one with <code>service-mcp keys revoke</code>, or through
      the API.
    </p>
    ${formError(errors)}
    <form method="post" action="${ACCOUNT_PATH}/password">
      <input hidden type="text" name="username" autocomplete="username" value="${account.email}" readonly />
      ${field({ name: 'current_password', label: 'Current password', type: 'password', autocomplete: 'current-password', errors })}
      ${newPasswordFields('New password', errors)}
      <button class="button primary" type="submit">Change password</button>
    </form>`;
}
