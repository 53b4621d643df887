import { ServiceError, type Origins } from '@service-mcp/core';
import { audience, canonicalResource } from './addresses.js';
import { withDefaultScopes } from './oauth-scopes.js';

/** Supported prompts of OpenID Connect; servers may ignore others. */
const PROMPTS = new Set(['none', 'login', 'consent']);

/** Query of an authorization request, with default scopes and the canonical resource. */
export function authorizationQuery(query: string, origins: Origins, known: readonly string[]): string {
  const parameters = new URLSearchParams(query);
  canonicaliseResources(parameters, origins);
  const scope = withDefaultScopes(parameters.get('scope') ?? undefined, known);
  if (parameters.getAll('scope').length < 2) parameters.set('scope', scope);
  if (!scope.split(' ').includes('openid')) parameters.delete('nonce'); // without openid it has no effect
  // form_post needs a script, which our pages forbid.
  if (parameters.get('response_mode') === 'form_post')
    parameters.set('response_mode', 'form_post is not served');
  const prompts = parameters
    .get('prompt')
    ?.split(' ')
    .filter((prompt) => PROMPTS.has(prompt));
  if (prompts && prompts.length > 0) parameters.set('prompt', prompts.join(' '));
  else parameters.delete('prompt');
  return parameters.toString();
}

/** Every spelling of our resource becomes the canonical one; others are rejected by the library. */
export function canonicaliseResources(parameters: URLSearchParams, origins: Origins): void {
  const resources = parameters.getAll('resource').filter((resource) => resource !== '');
  parameters.delete('resource');
  const canonical = resources.map((resource) => canonicalResource(resource, origins) ?? resource);
  for (const resource of new Set(canonical)) parameters.append('resource', resource);
}

/** The library would refuse them too, but only after it has consumed the code or the refresh token. */
export function assertOwnResources(form: URLSearchParams, origins: Origins): void {
  const ours = audience(origins);
  if (form.getAll('resource').every((resource) => resource === ours)) return;
  const message = `The resource is not an MCP endpoint of this service. Leave it out, or send ${ours}.`;
  throw new ServiceError('INVALID_REQUEST', message, { details: { oauth: 'invalid_target' } });
}

/** The fields of a form that a client sent as one flat JSON object. Throws INVALID_REQUEST. */
export function formOfJson(body: unknown): URLSearchParams {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ServiceError(
      'INVALID_REQUEST',
      'The body is not a JSON object. Send one flat JSON object, or a form.',
    );
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue;
    if (typeof value === 'object')
      throw new ServiceError('INVALID_REQUEST', `${name.slice(0, 64)} is nested. Send strings only.`);
    form.append(name, String(value));
  }
  return form;
}
