import { html } from '@service-mcp/core/http';
import type { Context } from 'koa';
import type { default as Provider, InteractionResults } from 'oidc-provider';
import { PATHS, audience } from '../oauth/addresses.js';
import { rewriteRequest } from '../oauth/rewrite-request.js';
import { IDENTITY_SCOPES, describeScopes } from '../oauth/oauth-scopes.js';
import { MAX_EMAIL_LENGTH } from '../schemas.js';
import { hidden } from './form.js';
import { show, showProblem } from './layout.js';
import { logIn, showLogin } from './login-page.js';
import { displayName } from './display-name.js';
import { auditAction } from './page-audit.js';
import { goTo, pageRoutes } from './page-routes.js';
import { targetCspSource, describeTarget } from './redirect-target.js';
import { visitorOf, type PageParts, type Visitor } from './visitor.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** An authorization in progress in this browser. */
interface PendingAuthorization {
  readonly provider: Provider;
  readonly interaction: Interaction;
  readonly path: string;
}

/** Sign-in and consent for an application, on every authorization, in the browser that started it. */
export function mountConsent(parts: PageParts): void {
  const { http } = parts;
  const { get, post } = pageRoutes(parts);
  const web = () => http.origins().web;

  /** Undefined, after showing an error page, when this browser did not start it. Throws where it cannot be read. */
  async function pendingAuthorization(ctx: Context): Promise<PendingAuthorization | undefined> {
    const provider = await parts.provider.current();
    const interaction = await provider
      .interactionDetails(rewriteRequest(ctx, { origin: web() }), ctx.res)
      .catch(async (error: unknown) => {
        const { errors } = await import('oidc-provider'); // loaded with the provider
        if (!(error instanceof errors.SessionNotFound)) throw error;
      });
    if (interaction && interaction.uid === (ctx['params'] as { uid?: string }).uid)
      return { provider, interaction, path: `${PATHS.interaction}/${interaction.uid}` };
    showProblem(
      ctx,
      400,
      'This sign-in is over',
      'Perhaps it was completed a moment ago: then close this page. Else it is too old, or it was started in another browser: go back to the application and connect again.',
    );
    return undefined;
  }
  async function showNextStep(ctx: Context, found: PendingAuthorization): Promise<void> {
    const { interaction } = found;
    const visitor = await visitorOf(parts, ctx);
    if (visitor && !mustSignInAgain(interaction, visitor)) return showConsent(ctx, visitor, found);
    await showLogin(parts, ctx, { ...(await loginForm(found)), email: loginHint(interaction) });
  }

  get(`${PATHS.interaction}/:uid`, async (ctx) => {
    const found = await pendingAuthorization(ctx);
    if (found) await showNextStep(ctx, found);
  });
  post(`${PATHS.interaction}/:uid/login`, async (ctx, form) => {
    const found = await pendingAuthorization(ctx);
    if (!found) return;
    const account = await logIn(parts, ctx, form, await loginForm(found));
    if (!account) return;
    await saveResult(ctx, found, { login: { accountId: account.id } });
    goTo(ctx, found.path);
  });
  post(`${PATHS.interaction}/:uid`, async (ctx, form) => {
    const found = await pendingAuthorization(ctx);
    if (!found) return;
    const visitor = await visitorOf(parts, ctx);
    // Another person may have signed in since the page was shown: they must not consent for the first one.
    if (!visitor || form.get('account') !== visitor.account.id || mustSignInAgain(found.interaction, visitor))
      return showNextStep(ctx, found);
    const isAllowed = form.get('decision') === 'allow';
    const grantId = isAllowed ? await grant(found, visitor) : undefined;
    if (isAllowed && grantId === undefined) return showNextStep(ctx, found);
    const result =
      grantId === undefined
        ? { error: 'access_denied', error_description: 'the user denied access' }
        : { login: { accountId: visitor.account.id, remember: false }, consent: { grantId } };
    const ids = { client_id: parameter(found.interaction, 'client_id') };
    await auditAction(parts, ctx, { action: isAllowed ? 'oauth_allow' : 'oauth_deny', visitor, ids });
    goTo(ctx, await saveResult(ctx, found, result));
  });

  /** Returns the address to continue at. */
  function saveResult(ctx: Context, { provider }: PendingAuthorization, result: InteractionResults) {
    return provider.interactionResult(rewriteRequest(ctx, { origin: web() }), ctx.res, result);
  }
  /**
   * Undefined where the session has ended. Looks after saving: a new password, or who disables the account, ends the
   * sessions first and deletes the grants then, which may have missed this one.
   */
  async function grant(
    { provider, interaction }: PendingAuthorization,
    visitor: Visitor,
  ): Promise<string | undefined> {
    const newGrant = new provider.Grant({
      accountId: visitor.account.id,
      clientId: parameter(interaction, 'client_id'),
    });
    const { identity, resource } = scopesOf(interaction);
    if (identity.length > 0) newGrant.addOIDCScope(identity.join(' '));
    newGrant.addResourceScope(audience(http.origins()), resource.join(' '));
    const id = await newGrant.save();
    if (await parts.sessions.isOpen(visitor.sessionId)) return id;
    await parts.grants.remove(id);
    return undefined;
  }
  function scopesOf(interaction: Interaction) {
    const requested = parameter(interaction, 'scope').split(' ');
    return {
      identity: IDENTITY_SCOPES.filter((scope) => requested.includes(scope)),
      resource: parts.scopes.filter((scope) => requested.includes(scope)),
    };
  }
  async function showConsent(ctx: Context, visitor: Visitor, found: PendingAuthorization): Promise<void> {
    const { interaction, path } = found;
    const name = await clientName(found);
    const client = await clientOf(found);
    const redirectUri = parameter(interaction, 'redirect_uri');
    const clientId = parameter(interaction, 'client_id');
    const { identity, resource } = scopesOf(interaction);
    const permissions = describeScopes([...resource, ...identity], {
      stays: client?.grantTypeAllowed('refresh_token') ?? false,
    }).map((text) => html`<li>${text}</li>`);
    show(ctx, {
      title: `Allow ${name}?`,
      formAction: targetCspSource(redirectUri),
      body: html`<p>
          It requests access to this service as you, ${visitor.account.name} (${visitor.account.email}). It
          could:
        </p>
        <ul>
          ${permissions}
        </ul>
        <dl class="facts">
          <dt>Returns to</dt>
          <dd>${describeTarget(redirectUri)}</dd>
          ${
            URL.canParse(clientId)
              ? html`<dt>Published by</dt>
                  <dd>${new URL(clientId).host}</dd>`
              : html`<dt>Name</dt>
                  <dd>Chosen by the application itself; not verified.</dd>`
          }
        </dl>
        <p class="muted">
          Allow it only if you just started the connection. You can disconnect it on your account page at any
          time.
        </p>
        <form method="post" action="${path}">
          ${hidden('account', visitor.account.id)}
          <button class="button primary" type="submit" name="decision" value="allow">Allow</button>
          <button class="button" type="submit" name="decision" value="deny">Do not allow</button>
        </form>
        <form method="post" action="/oauth/logout">
          ${hidden('return_to', path)}
          <p class="muted">Not you? <button class="link" type="submit">Sign in as somebody else</button></p>
        </form>`,
    });
  }
}

async function loginForm(found: PendingAuthorization) {
  const reason = `To connect ${await clientName(found)}, sign in first.`;
  return { action: `${found.path}/login`, returnTo: found.path, reason };
}

const clientOf = ({ provider, interaction }: PendingAuthorization) =>
  provider.Client.find(parameter(interaction, 'client_id'));

async function clientName(found: PendingAuthorization): Promise<string> {
  const clientId = parameter(found.interaction, 'client_id');
  const client = await clientOf(found);
  return displayName(client?.clientName ?? (URL.canParse(clientId) ? new URL(clientId).host : ''));
}

/** `prompt=login` and `max_age` require a new sign-in, which the interaction then records. */
function mustSignInAgain(interaction: Interaction, { account }: Visitor): boolean {
  const isRequested =
    parameter(interaction, 'prompt').split(' ').includes('login') ||
    interaction.params['max_age'] !== undefined;
  return isRequested && interaction.result?.login?.accountId !== account.id;
}

function loginHint(interaction: Interaction): string {
  return parameter(interaction, 'login_hint').slice(0, MAX_EMAIL_LENGTH);
}

/** A parameter of the application's request; empty when absent. */
function parameter({ params }: Interaction, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}
