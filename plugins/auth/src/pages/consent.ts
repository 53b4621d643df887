import type { Context } from 'koa';
import type Provider from 'oidc-provider';
import { PATHS, audience } from '../oauth/addresses.js';
import { present } from '../oauth/present.js';
import { IDENTITY_SCOPES, describeScopes } from '../oauth/scopes.js';
import { hidden } from './form.js';
import { html } from './html.js';
import { show, showProblem } from './layout.js';
import { logIn, showLogin } from './login.js';
import { plainName } from './plain-name.js';
import { posted } from './posted.js';
import { record } from './record.js';
import { targetAsSource, targetInWords } from './redirect-target.js';
import { goTo, page, visitorOf, type PageParts, type Visitor } from './visitor.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** An authorization under way in this browser. */
interface Underway {
  readonly provider: Provider;
  readonly interaction: Interaction;
  readonly path: string;
}

/** Sign-in and consent for an application: asked each time, of whoever is signed in in the browser that began it. */
export function mountConsent(parts: PageParts): void {
  const { http } = parts;
  const web = () => http.origins().web;

  /** Undefined, and told on a page, where this browser did not begin it. */
  async function underway(ctx: Context): Promise<Underway | undefined> {
    const provider = await parts.provider.current();
    const interaction = await provider
      .interactionDetails(present(ctx, { origin: web() }), ctx.res)
      .catch(() => undefined);
    if (interaction && interaction.uid === (ctx['params'] as { uid?: string }).uid)
      return { provider, interaction, path: `${PATHS.interaction}/${interaction.uid}` };
    showProblem(
      ctx,
      400,
      'This sign-in has ended',
      'It is too old, or it was begun in another browser. Go back to the application and connect again.',
    );
    return undefined;
  }
  async function ask(ctx: Context, { provider, interaction, path }: Underway): Promise<void> {
    const visitor = await visitorOf(parts, ctx);
    const name = await clientName(provider, interaction);
    if (visitor && !mustSignInAgain(interaction, visitor))
      return showConsent(ctx, { visitor, interaction, path, name });
    const reason = `To connect ${name}, sign in first.`;
    await showLogin(parts, ctx, {
      action: `${path}/login`,
      returnTo: path,
      reason,
      email: loginHint(interaction),
    });
  }

  http.router.get(
    `${PATHS.interaction}/:uid`,
    page(parts, async (ctx) => {
      const found = await underway(ctx);
      if (found) await ask(ctx, found);
    }),
  );
  http.router.post(
    `${PATHS.interaction}/:uid/login`,
    posted(parts, async (ctx, form) => {
      const found = await underway(ctx);
      if (!found) return;
      const { provider, interaction, path } = found;
      const reason = `To connect ${await clientName(provider, interaction)}, sign in first.`;
      const account = await logIn(parts, ctx, form, { action: `${path}/login`, returnTo: path, reason });
      if (!account) return;
      const login = { accountId: account.id };
      await provider.interactionResult(present(ctx, { origin: web() }), ctx.res, { login });
      goTo(ctx, path);
    }),
  );
  http.router.post(
    `${PATHS.interaction}/:uid`,
    posted(parts, async (ctx, form) => {
      const found = await underway(ctx);
      if (!found) return;
      const visitor = await visitorOf(parts, ctx);
      // Somebody else may have signed in since the page was shown: nobody consents for another.
      if (
        !visitor ||
        form.get('account') !== visitor.account.id ||
        mustSignInAgain(found.interaction, visitor)
      )
        return ask(ctx, found);
      const { provider } = found;
      const isAllowed = form.get('decision') === 'allow';
      const result = isAllowed
        ? {
            login: { accountId: visitor.account.id, remember: false },
            consent: { grantId: await grant(found, visitor) },
          }
        : { error: 'access_denied', error_description: 'the person did not allow it' };
      await record(parts, ctx, { action: isAllowed ? 'oauth_allow' : 'oauth_deny', visitor });
      goTo(ctx, await provider.interactionResult(present(ctx, { origin: web() }), ctx.res, result));
    }),
  );

  async function grant({ provider, interaction }: Underway, visitor: Visitor): Promise<string> {
    const consented = new provider.Grant({
      accountId: visitor.account.id,
      clientId: parameter(interaction, 'client_id'),
    });
    const { identity, resource } = scopesOf(interaction);
    if (identity.length > 0) consented.addOIDCScope(identity.join(' '));
    consented.addResourceScope(audience(http.origins()), resource.join(' '));
    return consented.save();
  }
  function scopesOf(interaction: Interaction) {
    const asked = parameter(interaction, 'scope').split(' ');
    return {
      identity: IDENTITY_SCOPES.filter((scope) => asked.includes(scope)),
      resource: parts.scopes.filter((scope) => asked.includes(scope)),
    };
  }
  function showConsent(
    ctx: Context,
    {
      visitor,
      interaction,
      path,
      name,
    }: { visitor: Visitor; interaction: Interaction; path: string; name: string },
  ): void {
    const redirectUri = parameter(interaction, 'redirect_uri');
    const clientId = parameter(interaction, 'client_id');
    const { identity, resource } = scopesOf(interaction);
    const wanted = describeScopes([...resource, ...identity]).map((text) => html`<li>${text}</li>`);
    show(ctx, {
      title: `Allow ${name}?`,
      formAction: targetAsSource(redirectUri),
      body: html`<p>
          It asks to work with this service as you, ${visitor.account.name} (${visitor.account.email}). It
          could:
        </p>
        <ul>
          ${wanted}
        </ul>
        <dl>
          <dt>Returns to</dt>
          <dd>${targetInWords(redirectUri)}</dd>
          ${
            URL.canParse(clientId)
              ? html`<dt>Published by</dt>
                  <dd>${new URL(clientId).host}</dd>`
              : html`<dt>Name</dt>
                  <dd>Chosen by the application itself; nobody has checked it.</dd>`
          }
        </dl>
        <p class="quiet">
          Allow it only if you have just asked it to connect. You can disconnect it on your account page at
          any time.
        </p>
        <form method="post" action="${path}">
          ${hidden('account', visitor.account.id)}
          <button type="submit" name="decision" value="allow">Allow</button>
          <button class="plain" type="submit" name="decision" value="deny">Do not allow</button>
        </form>
        <form method="post" action="/oauth/logout">
          ${hidden('return_to', path)}
          <p class="quiet last">
            Not you? <button class="link" type="submit">Sign in as somebody else</button>
          </p>
        </form>`,
    });
  }
}

async function clientName(provider: Provider, interaction: Interaction): Promise<string> {
  const clientId = parameter(interaction, 'client_id');
  const client = await provider.Client.find(clientId);
  return plainName(client?.clientName ?? (URL.canParse(clientId) ? new URL(clientId).host : ''));
}

/** `prompt=login` and `max_age` ask for a sign-in of now, which the interaction then remembers. */
function mustSignInAgain(interaction: Interaction, { account }: Visitor): boolean {
  const isAsked =
    parameter(interaction, 'prompt').split(' ').includes('login') ||
    interaction.params['max_age'] !== undefined;
  return isAsked && interaction.result?.login?.accountId !== account.id;
}

function loginHint(interaction: Interaction): string {
  return parameter(interaction, 'login_hint').slice(0, 320);
}

/** What the application sent; empty where it sent none. */
function parameter({ params }: Interaction, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}
