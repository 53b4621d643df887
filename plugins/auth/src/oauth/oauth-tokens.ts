import { token, type ServiceError } from '@service-mcp/core';

/** What an access token of our authorization server says. */
export interface OAuthGrant {
  readonly userId: string;
  readonly userName: string;
  /** Of the deployment. */
  readonly administrator: boolean;
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: readonly string[];
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** OAuth as the one who checks credentials sees it. */
export interface OAuthTokens {
  /** The grant behind an access token; undefined where it is unknown, expired, revoked or for another audience. */
  find(accessToken: string): Promise<OAuthGrant | undefined>;
  /** The value of `WWW-Authenticate` on the MCP endpoints (RFC 9728, 5.1; RFC 6750, 3.1 for a missing scope). */
  challenge(error: ServiceError): string;
}
export const OAuthTokens = token<OAuthTokens>('auth.OAuthTokens');
