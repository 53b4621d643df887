import type { Caller, Surface } from '@service-mcp/core';
import type { OAuthTokens } from '../../oauth/oauth-tokens.js';
import { refuseCredential } from './refuse.js';

/** Checks an access token of our authorization server. It is bound to the MCP endpoints, and good nowhere else. */
export function createOAuthCheck(
  oauth: OAuthTokens | undefined,
): (accessToken: string, surface: Surface) => Promise<Caller> {
  return async (accessToken, surface) => {
    const grant = await oauth?.find(accessToken);
    if (!grant)
      throw refuseCredential(
        'This token is unknown, out of date or revoked. Log in again, or send an API key.',
      );
    if (surface !== 'mcp')
      throw refuseCredential(
        'An OAuth access token is good for the MCP endpoints alone. Send an API key or the access token of a login here.',
      );
    return {
      kind: 'oauth',
      userId: grant.userId,
      name: grant.userName,
      scopes: grant.scopes,
      administrator: grant.administrator,
      credentialId: grant.grantId,
      clientId: grant.clientId,
      expiresAt: grant.expiresAt,
    };
  };
}
