import type { Caller, Database, Surface } from '@service-mcp/core';
import type { OAuthTokens } from '../../oauth/oauth-tokens.js';
import { findUser } from '../account-store.js';
import { disabledAccount, refuseCredential } from './refuse.js';

/** Checks an access token of our authorization server. It is bound to the MCP endpoints, and good nowhere else. */
export function createOAuthCheck(deps: {
  readonly database: Database;
  readonly oauth: OAuthTokens | undefined;
}): (accessToken: string, surface: Surface) => Promise<Caller> {
  const { database, oauth } = deps;
  return async (accessToken, surface) => {
    const grant = await oauth?.find(accessToken);
    const user = grant && (await findUser(database.sql, { id: grant.userId }));
    if (!grant || !user)
      throw refuseCredential(
        'This token is unknown, out of date or revoked. Log in again, or send an API key.',
      );
    if (surface !== 'mcp')
      throw refuseCredential(
        'An OAuth access token is good for the MCP endpoints alone. Send an API key or the access token of a login here.',
      );
    if (user.disabled_at !== null) throw disabledAccount();
    return {
      kind: 'oauth',
      userId: user.id,
      name: user.name,
      scopes: grant.scopes,
      administrator: user.administrator === 1,
      credentialId: grant.grantId,
      expiresAt: grant.expiresAt,
    };
  };
}
