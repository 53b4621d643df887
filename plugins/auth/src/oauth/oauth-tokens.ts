import { token, type ServiceError } from '@service-mcp/core';

/** The grant of an access token of our authorization server. */
export interface OAuthGrant {
  readonly userId: string;
  readonly userName: string;
  /** Administrator of the deployment. */
  readonly administrator: boolean;
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: readonly string[];
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** OAuth for the authenticator. */
export interface OAuthTokens {
  /** The grant of an access token; undefined when it is unknown, expired, revoked or for another audience. */
  find(accessToken: string): Promise<OAuthGrant | undefined>;
  /** The value of `WWW-Authenticate` on the MCP endpoints (RFC 9728, 5.1; RFC 6750, 3.1 for a missing scope). */
  challenge(error: ServiceError): string;
}
export const OAuthTokens = token<OAuthTokens>('auth.OAuthTokens');
