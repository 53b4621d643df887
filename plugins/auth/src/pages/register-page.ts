import { ServiceError, type Issue } from '@service-mcp/core';
import { html, type Html } from '@service-mcp/core/http';
import type { Context } from 'koa';
import { field, formError, formErrors, hidden, type FormErrors } from './form.js';
import { show, showProblem } from './layout.js';
import { INVITATIONS_PATH } from './invitations-page.js';
import { ACCOUNT_PATH, startPath } from './login-page.js';
import { newPasswordFields, newPasswordProblem } from './new-password.js';
import { withAudit } from './page-audit.js';
import { goTo, pageRoutes } from './page-routes.js';
import { localPath } from './redirect-target.js';
import { MAX_EMAIL_LENGTH } from '../schemas.js';
import type { Registration } from '../services/accounts.js';
import type { Invitations } from '../services/invitations.js';
import { signIn, visitorOf, type PageParts, type Visitor } from './visitor.js';

const PATH = '/oauth/register';
const EMAIL = /^[^\s@]+@[^\s@]+$/;

export function mountRegister(parts: PageParts): void {
  const { http, accounts } = parts;
  const { get, post } = pageRoutes(parts);

  get(PATH, async (ctx, query) => {
    const registration = await accounts.registration();
    const visitor = await visitorOf(parts, ctx);
    const problem = await problemOf(parts, registration, query);
    if (problem) return showRefusal(ctx, problem, parts, visitor);
    // A person with an account accepts an invitation to a workspace instead of registering.
    const invited = parts.pending && query.get('invitation') ? visitor : undefined;
    await showRegister(parts, ctx, query, { visitor: invited });
  });
  post(PATH, async (ctx, form) => {
    const email = (form.get('email') ?? '').trim();
    const problem = emailProblem(email) ?? newPasswordProblem(form);
    if (problem) return showRegister(parts, ctx, form, { errors: problem });
    const invitation = form.get('invitation');
    const setupToken = form.get('setup_token');
    try {
      await withAudit(parts, ctx, { action: 'auth_register' }, async () => {
        const account = await accounts.register({
          email,
          password: form.get('new_password') ?? '',
          name: (form.get('name') ?? '').slice(0, 200),
          peer: http.peer(ctx),
          ...(invitation && { invitation }),
          ...(setupToken && { setupToken }),
        });
        return signIn(parts, ctx, account);
      });
    } catch (error) {
      const errors =
        invitation && (await isForAnother(parts.invitations, invitation, error))
          ? ANOTHER_ADDRESS
          : formErrors(error, ['email', 'name', 'setup_token']);
      return showRegister(parts, ctx, form, { errors });
    }
    goTo(ctx, localPath(form.get('return_to'), http.origins().web, startPath(parts)));
  });
}

/** Why nobody registers at this address, with a way on for a person who is not signed in. */
interface Problem {
  readonly status: 403 | 410;
  readonly title: string;
  readonly text: string;
  readonly next: { readonly href: string; readonly text: string };
}

const SIGN_IN = { href: '/oauth/login', text: 'Sign in with an existing account' };

/** Tells before a form is filled in that it would be refused. The link is a secret: who has it may know its state. */
async function problemOf(
  { invitations }: PageParts,
  registration: Registration,
  given: URLSearchParams,
): Promise<Problem | undefined> {
  const invitation = given.get('invitation');
  if (registration !== 'setup' && given.get('setup_token'))
    return {
      status: 410,
      title: 'This set-up link was used',
      text: 'The service has its first account, and the link was for that one alone.',
      next: SIGN_IN,
    };
  if (registration === 'setup' && invitation && !given.get('setup_token'))
    return {
      status: 403,
      title: 'This service is not set up yet',
      text: 'The first account comes before those of people with an invitation. Follow the link again once somebody has made it.',
      next: { href: PATH, text: 'Make the first account' },
    };
  if (registration === 'closed')
    return {
      status: 403,
      title: 'Registration is closed',
      text: 'Nobody registers here. Ask the operator of this service for an account.',
      next: SIGN_IN,
    };
  if (registration === 'invite' && !invitation)
    return {
      status: 403,
      title: 'Registration by invitation',
      text: 'Registration here needs an invitation. Ask an administrator of this service, or of the workspace that you want to join, for a link.',
      next: SIGN_IN,
    };
  if (!invitation || (await isValid(invitations, invitation))) return undefined;
  return {
    status: 410,
    title: 'This invitation is over',
    text: 'It was used, withdrawn or expired, or its sender can no longer invite. Ask for a new one.',
    next: registration === 'invite' ? SIGN_IN : { href: PATH, text: 'Create an account without it' },
  };
}

async function isValid(invitations: Invitations, invitation: string): Promise<boolean> {
  try {
    await invitations.check(invitation);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'INVALID_ARGUMENT') return false;
    throw error;
  }
}

const ANOTHER_ADDRESS: FormErrors = {
  status: 400,
  texts: { email: 'The invitation is for another address. Enter the one that it was sent to.' },
};

/** Whether an invitation was refused that is good, for the address alone. It names nobody: who was sent it knows. */
async function isForAnother(
  invitations: Invitations,
  invitation: string,
  refusal: unknown,
): Promise<boolean> {
  if (!(refusal instanceof ServiceError)) return false;
  const issues = (refusal.details?.['issues'] ?? []) as readonly Issue[];
  return issues.some(({ path }) => path === '/invitation') && isValid(invitations, invitation);
}

function showRefusal(
  ctx: Context,
  { status, title, text, next }: Problem,
  { pending }: PageParts,
  visitor: Visitor | undefined,
): void {
  if (!visitor) return showProblem(ctx, status, title, text, next);
  const own = pending
    ? { href: INVITATIONS_PATH, text: 'See the invitations that wait for you' }
    : { href: ACCOUNT_PATH, text: 'Go to your account' };
  showProblem(ctx, status, title, `${text} You are signed in as ${visitor.account.email}.`, own);
}

function emailProblem(email: string): FormErrors | undefined {
  if (EMAIL.test(email) && email.length <= MAX_EMAIL_LENGTH) return undefined;
  const text = 'This is not an e-mail address. Enter one such as you@example.com.';
  return { status: 400, texts: { email: text } };
}

async function showRegister(
  parts: PageParts,
  ctx: Context,
  given: URLSearchParams,
  { errors, visitor }: { readonly errors?: FormErrors; readonly visitor?: Visitor | undefined },
): Promise<void> {
  const registration = await parts.accounts.registration();
  const invitation = given.get('invitation');
  // With an account one answers it: it waits for the address.
  const login = new URLSearchParams({
    return_to: given.get('return_to') || (invitation && parts.pending ? INVITATIONS_PATH : ''),
  });
  show(ctx, {
    title: registration === 'setup' ? 'Create the first account' : 'Create an account',
    status: errors?.status ?? 200,
    body: html`${visitor && signedIn(visitor)} ${formError(errors)}
      <form method="post" action="${PATH}">
        ${hidden('return_to', given.get('return_to'))} ${hidden('invitation', invitation)}
        ${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: given.get('email'), errors, focused: true, ...(invitation && { hint: 'The one that the invitation was sent to.' }) })}
        ${field({ name: 'name', label: 'Name', type: 'text', autocomplete: 'name', value: given.get('name'), hint: 'Shown to other people. Optional.', errors, optional: true })}
        ${registration === 'setup' && field({ name: 'setup_token', label: 'Set-up token', type: 'text', autocomplete: 'off', value: given.get('setup_token'), hint: 'Printed by service-mcp serve. The first account becomes administrator.', errors })}
        ${newPasswordFields('Password', errors)}
        <button class="button primary" type="submit">Create account</button>
      </form>
      <p class="muted">Already have an account? <a href="/oauth/login?${login.toString()}">Sign in</a></p>`,
  });
}

function signedIn({ account: { email } }: Visitor): Html {
  return html`<p class="notice">
    You are signed in as ${email}. If the invitation is for this address, answer it
    <a href="${INVITATIONS_PATH}">at your account</a>: you need no new one.
  </p>`;
}
