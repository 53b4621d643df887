import {
  Clock,
  Database,
  Deployment,
  provide,
  token,
  type Caller,
  type ServiceError,
} from '@service-mcp/core';
import type { UserRow } from '../services/account-store.js';
import { CredentialUsage } from '../services/credential-usage.js';
import { audience } from './addresses.js';
import { oauthChallenge } from './challenge.js';
import { readPayload, recordKey } from './record-store.js';

/** OAuth for the authenticator. */
export interface OAuthTokens {
  /** The caller of an access token; undefined when it is unknown, expired, revoked or for another audience. */
  find(accessToken: string): Promise<Caller | undefined>;
  /** The value of `WWW-Authenticate` on the MCP endpoints (RFC 9728, 5.1; RFC 6750, 3.1 for a missing scope). */
  challenge(error: ServiceError, caller?: Caller): string;
}
export const OAuthTokens = token<OAuthTokens>('auth.OAuthTokens');

interface TokenRow extends Pick<UserRow, 'name' | 'administrator'> {
  readonly user_id: string;
  readonly client_id: string;
  readonly grant_id: string;
  readonly payload: string;
  readonly expires_at: number;
  readonly last_used_at: string | null;
}

/** Reads token, consent and user together: all three must be valid. */
const FIND = `
  SELECT token.user_id, users.name, users.administrator, token.client_id, token.grant_id, token.payload, token.expires_at,
    consent.last_used_at
  FROM oauth_records AS token
  JOIN oauth_grants AS consent ON consent.id = token.grant_id
  JOIN users ON users.id = token.user_id
  WHERE token.key = ? AND users.disabled_at IS NULL`;

export const oauthTokens = provide(OAuthTokens, {
  uses: { database: Database, clock: Clock, deployment: Deployment, usage: CredentialUsage },
  create: ({ database, clock, deployment, usage }) => {
    const find = database.prepare<TokenRow>('auth_find_oauth_token', FIND);
    return {
      async find(accessToken) {
        const row = await find(recordKey('AccessToken', accessToken));
        if (!row || row.expires_at <= clock.now().getTime()) return undefined;
        const { aud, scope } = readPayload(row.payload, accessToken);
        if (aud !== audience(deployment.origins())) return undefined;
        usage.record('oauth_grants', row.grant_id, row.last_used_at);
        return {
          kind: 'oauth',
          userId: row.user_id,
          name: row.name,
          scopes: (scope ?? '').split(' ').filter(Boolean),
          administrator: row.administrator === 1,
          credentialId: row.grant_id,
          clientId: row.client_id,
          expiresAt: new Date(row.expires_at).toISOString(),
        };
      },
      challenge: (error, caller) => oauthChallenge(deployment.origins(), error, caller?.scopes),
    };
  },
});
