import { html, type Html } from '@service-mcp/core/http';
import type { Context } from 'koa';
import { MAX_EMAIL_LENGTH, type Account } from '../schemas.js';
import { field, formError, formErrors, hidden, type FormErrors } from './form.js';
import { show } from './layout.js';
import { withAudit } from './page-audit.js';
import { goTo, pageRoutes } from './page-routes.js';
import { localPath } from './redirect-target.js';
import { signIn, visitorOf, type PageParts } from './visitor.js';

export const ACCOUNT_PATH = '/oauth/account';
const PATH = '/oauth/login';

/** Where a person goes on to who signed in without being on the way to a page. */
export function startPath({ hasDashboard }: PageParts): string {
  return hasDashboard ? '/' : ACCOUNT_PATH;
}

interface LoginForm {
  readonly action: string;
  readonly returnTo: string;
  readonly reason?: string;
  readonly email?: string | null;
  readonly errors?: FormErrors;
}

export function mountLogin(parts: PageParts): void {
  const { get, post } = pageRoutes(parts);
  const returnPath = (given: URLSearchParams) =>
    localPath(given.get('return_to'), parts.http.origins().web, startPath(parts));

  get(PATH, async (ctx, query) => {
    const returnTo = returnPath(query);
    if (await visitorOf(parts, ctx)) goTo(ctx, returnTo);
    else await showLogin(parts, ctx, { action: PATH, returnTo });
  });
  post(PATH, async (ctx, form) => {
    const returnTo = returnPath(form);
    if (await logIn(parts, ctx, form, { action: PATH, returnTo })) goTo(ctx, returnTo);
  });
}

/** Shows the form, after an error with the address filled in. */
export async function showLogin(parts: PageParts, ctx: Context, form: LoginForm): Promise<void> {
  const { errors } = form;
  const query = new URLSearchParams({ return_to: form.returnTo });
  const isOpen = ['open', 'setup'].includes(await parts.accounts.registration());
  const unopened = await parts.unopened();
  show(ctx, {
    title: 'Sign in',
    status: errors?.status ?? 200,
    body: html`${form.reason !== undefined && html`<p>${form.reason}</p>`}
      ${unopened !== undefined && firstVisit(unopened)} ${formError(errors)}
      <form method="post" action="${form.action}">
        ${hidden('return_to', form.returnTo)}
        ${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: form.email ?? '', errors, focused: !form.email })}
        ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', errors, focused: Boolean(form.email) })}
        <button class="button primary" type="submit">Sign in</button>
      </form>
      ${isOpen && html`<p class="muted">No account yet? <a href="/oauth/register?${query.toString()}">Create one</a></p>`}`,
  });
}

/** An account made here would see nothing of what the commands store as the local owner. */
function firstVisit(email: string): Html {
  return html`<p class="notice">
    ${email}, whose key the commands on this machine use, has no password yet. The terminal showed a link to
    set one at the first start; it shows how to make another when the service starts again.
  </p>`;
}

/** Signs in with a posted form. Undefined after showing the form with errors. */
export async function logIn(
  parts: PageParts,
  ctx: Context,
  form: URLSearchParams,
  shown: LoginForm,
): Promise<Account | undefined> {
  const email = form.get('email') ?? '';
  try {
    const { account } = await withAudit(parts, ctx, { action: 'auth_login' }, async () => {
      const proven = await parts.accounts.login({
        email: email.slice(0, MAX_EMAIL_LENGTH),
        password: (form.get('password') ?? '').slice(0, 1000),
        peer: parts.http.peer(ctx),
      });
      return signIn(parts, ctx, proven);
    });
    return account;
  } catch (error) {
    await showLogin(parts, ctx, { ...shown, email, errors: formErrors(error, [], 'password') });
    return undefined;
  }
}
