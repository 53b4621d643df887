import { html } from '@service-mcp/core/http';
import type { Context } from 'koa';
import type { Account } from '../schemas.js';
import { formError, formErrors, hidden, type FormErrors } from './form.js';
import { show, showProblem } from './layout.js';
import { ACCOUNT_PATH, startPath } from './login-page.js';
import { newPasswordFields, newPasswordProblem } from './new-password.js';
import { auditAction, withAudit } from './page-audit.js';
import { goTo, pageRoutes } from './page-routes.js';
import { signIn, type PageParts } from './visitor.js';

const PATH = '/oauth/password';

/** The page of a password link. */
export function mountPassword(parts: PageParts): void {
  const { http, accounts } = parts;
  const { get, post } = pageRoutes(parts);

  get(PATH, async (ctx, query) => {
    const resetToken = query.get('token') ?? '';
    const account = await accounts.forReset(resetToken);
    if (account) showPassword(ctx, account, resetToken);
    else showExpired(ctx);
  });
  post(PATH, async (ctx, form) => {
    const resetToken = form.get('token') ?? '';
    const account = await accounts.forReset(resetToken);
    if (!account) {
      await auditAction(parts, ctx, { action: 'auth_password' }, 'UNAUTHENTICATED');
      return showExpired(ctx);
    }
    const newPassword = form.get('new_password') ?? '';
    const problem = newPasswordProblem(form);
    if (problem) return showPassword(ctx, account, resetToken, problem);
    try {
      await withAudit(parts, ctx, { action: 'auth_password' }, async () => {
        const changed = await accounts.setPassword({ resetToken, newPassword, peer: http.peer(ctx) });
        return signIn(parts, ctx, changed);
      });
    } catch (error) {
      return showPassword(ctx, account, resetToken, formErrors(error, ['new_password']));
    }
    goTo(ctx, startPath(parts));
  });
}

function showPassword(ctx: Context, account: Account, resetToken: string, errors?: FormErrors): void {
  show(ctx, {
    title: 'Set a password',
    status: errors?.status ?? 200,
    body: html`<p>For ${account.email}</p>
      ${formError(errors)}
      <form method="post" action="${PATH}">
        ${hidden('token', resetToken)}
        <input hidden type="text" name="username" autocomplete="username" value="${account.email}" readonly />
        ${newPasswordFields('New password', errors, true)}
        <button class="button primary" type="submit">Set password</button>
      </form>`,
  });
}

function showExpired(ctx: Context): void {
  showProblem(
    ctx,
    410,
    'This link has expired',
    'A link to set a password works once, for 24 hours. Ask an administrator for a new one; the operator creates it with service-mcp accounts reset.',
    { href: ACCOUNT_PATH, text: 'Go to your account' },
  );
}
