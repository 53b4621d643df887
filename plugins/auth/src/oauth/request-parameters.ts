import { ServiceError, type Origins } from '@service-mcp/core';
import { canonicalResource } from './resource.js';
import { withDefaultScopes } from './scopes.js';

/** The prompts of OpenID Connect that we serve; the others are wishes that may be left unfulfilled. */
const PROMPTS = new Set(['none', 'login', 'consent']);

/** A request to the authorization endpoint with its defaults filled in and its resource in the canonical spelling. */
export function authorizationQuery(query: string, origins: Origins, known: readonly string[]): string {
  const parameters = new URLSearchParams(query);
  canonicalise(parameters, origins);
  const scope = withDefaultScopes(parameters.get('scope') ?? undefined, known);
  if (parameters.getAll('scope').length < 2) parameters.set('scope', scope);
  if (!scope.split(' ').includes('openid')) parameters.delete('nonce'); // it would say nothing
  // Its page posts itself by a script, which no page here may.
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

/** The fields of a request to the token or revocation endpoint, from a form or from flat JSON. */
export function formOf(type: string, body: Buffer, origins: Origins): URLSearchParams {
  const form = type === 'application/json' ? fromJson(body) : new URLSearchParams(body.toString('utf8'));
  canonicalise(form, origins);
  return form;
}

/** Every spelling of our resource becomes the one; others stay, and are refused by who reads them. */
function canonicalise(parameters: URLSearchParams, origins: Origins): void {
  const resources = parameters.getAll('resource').filter((resource) => resource !== '');
  parameters.delete('resource');
  const canonical = resources.map((resource) => canonicalResource(resource, origins) ?? resource);
  for (const resource of new Set(canonical)) parameters.append('resource', resource);
}

function fromJson(body: Buffer): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parse(body))) {
    if (value === null) continue;
    if (typeof value === 'object') {
      throw new ServiceError('INVALID_REQUEST', `${name.slice(0, 64)} is nested. Send strings alone.`);
    }
    form.append(name, String(value));
  }
  return form;
}

function parse(body: Buffer): object {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new ServiceError('PARSE_ERROR', 'The body is not valid JSON.', { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ServiceError('INVALID_REQUEST', 'Send one flat JSON object, or a form.');
}
