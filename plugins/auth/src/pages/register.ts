import type { Context } from 'koa';
import { field, formError, formErrors, hidden, passwordProblem, type FormErrors } from './form.js';
import { html } from './html.js';
import { show, showProblem } from './layout.js';
import { ACCOUNT_PATH } from './login.js';
import { posted } from './posted.js';
import { recorded } from './record.js';
import { localPath } from './redirect-target.js';
import { goTo, page, signIn, type PageParts, type Visitor } from './visitor.js';

const PATH = '/oauth/register';
const EMAIL = /^[^\s@]+@[^\s@]+$/;

export function mountRegister(parts: PageParts): void {
  const { http, accounts } = parts;

  http.router.get(
    PATH,
    page(parts, async (ctx) => {
      const given = new URLSearchParams(ctx.querystring);
      if (await isAllowed(given)) showRegister(ctx, given);
      else {
        showProblem(
          ctx,
          403,
          'By invitation',
          'Accounts are made by invitation here. Ask an administrator of this service, or of the workspace that you are to join, for a link.',
          { href: '/oauth/login', text: 'Sign in with an account' },
        );
      }
    }),
  );
  http.router.post(
    PATH,
    posted(parts, async (ctx, form) => {
      if (await register(ctx, form))
        goTo(ctx, localPath(form.get('return_to'), http.origins().web, ACCOUNT_PATH));
    }),
  );

  async function isAllowed(given: URLSearchParams): Promise<boolean> {
    const registration = await accounts.registration();
    return registration === 'open' || (registration === 'invite' && Boolean(given.get('invitation')));
  }

  /** Makes the account and signs it in. Undefined where the form was wrong, which is shown already. */
  async function register(ctx: Context, form: URLSearchParams): Promise<Visitor | undefined> {
    const email = (form.get('email') ?? '').trim();
    const password = form.get('new_password') ?? '';
    const problem =
      EMAIL.test(email) && email.length <= 320
        ? passwordProblem(password, form.get('again') ?? '')
        : { status: 400, texts: { email: 'Write an e-mail address, such as you@example.com.' } };
    if (problem) {
      showRegister(ctx, form, problem);
      return undefined;
    }
    const invitation = form.get('invitation');
    try {
      return await recorded(parts, ctx, { action: 'auth_register' }, async () => {
        const made = await accounts.register({
          email,
          password,
          name: (form.get('name') ?? '').slice(0, 200),
          peer: http.peer(ctx),
          ...(invitation && { invitation }),
        });
        return signIn(parts, ctx, made);
      });
    } catch (error) {
      showRegister(ctx, form, formErrors(error, ['email', 'name']));
      return undefined;
    }
  }
}

function showRegister(ctx: Context, given: URLSearchParams, errors?: FormErrors): void {
  const login = new URLSearchParams({ return_to: given.get('return_to') ?? '' });
  show(ctx, {
    title: 'Make an account',
    status: errors?.status ?? 200,
    body: html`${formError(errors)}
      <form method="post" action="${PATH}">
        ${hidden('return_to', given.get('return_to'))} ${hidden('invitation', given.get('invitation'))}
        ${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: given.get('email'), errors, focused: true })}
        ${field({ name: 'name', label: 'Name', type: 'text', autocomplete: 'name', value: given.get('name'), hint: 'How others see you. May be left empty.', errors, optional: true })}
        ${field({ name: 'new_password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: 'At least 10 characters.', errors })}
        ${field({ name: 'again', label: 'The same password again', type: 'password', autocomplete: 'new-password', errors })}
        <button type="submit">Make account</button>
      </form>
      <p class="quiet last">You have an account? <a href="/oauth/login?${login.toString()}">Sign in</a></p>`,
  });
}
