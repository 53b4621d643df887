import type { Caller, Surface } from '@service-mcp/core';
import type { OAuthTokens } from '../../oauth/oauth-tokens.js';
import { invalidCredential } from './credential-errors.js';

/** Verifies an access token of our authorization server. It is bound to the MCP endpoints. */
export async function checkOAuthToken(
  oauth: OAuthTokens,
  accessToken: string,
  surface: Surface,
): Promise<Caller> {
  const caller = await oauth.find(accessToken);
  if (!caller)
    throw invalidCredential('This token is unknown, expired or revoked. Log in again, or send an API key.');
  if (surface !== 'mcp')
    throw invalidCredential(
      'An OAuth access token is valid only for the MCP endpoints. Send an API key or the access token of a login here.',
    );
  return caller;
}
