import { Clock, Database, Deployment, provide, type ServiceError } from '@service-mcp/core';
import { DEFAULT_SCOPES } from '../services/scopes.js';
import { audience } from './addresses.js';
import { Grants } from './grant-store.js';
import { OAuthTokens } from './oauth-tokens.js';
import { readPayload, recordKey } from './record-store.js';

interface TokenRow {
  user_id: string;
  client_id: string;
  grant_id: string;
  payload: string;
  expires_at: number | string;
}

export const oauthTokens = provide(OAuthTokens, {
  uses: { database: Database, clock: Clock, deployment: Deployment, grants: Grants },
  create: ({ database, clock, deployment, grants }) => ({
    async find(accessToken) {
      const row = (await database
        .sql('oauth_records as token')
        .join('oauth_grants as consent', 'consent.id', 'token.grant_id')
        .join('users', 'users.id', 'token.user_id')
        .where('token.key', recordKey('AccessToken', accessToken))
        .where('token.expires_at', '>', clock.now().getTime())
        .whereNull('users.disabled_at')
        .first('token.user_id', 'token.client_id', 'token.grant_id', 'token.payload', 'token.expires_at')) as
        | TokenRow
        | undefined;
      if (!row) return undefined;
      const { aud, scope } = readPayload(row.payload, accessToken) as { aud?: string; scope?: string };
      if (aud !== audience(deployment.origins())) return undefined;
      return {
        userId: row.user_id,
        clientId: row.client_id,
        grantId: row.grant_id,
        scopes: (scope ?? '').split(' ').filter(Boolean),
        expiresAt: new Date(Number(row.expires_at)).toISOString(),
      };
    },

    challenge(error) {
      const metadata = `${deployment.origins().mcp}/.well-known/oauth-protected-resource`;
      return ['Bearer', [...reasonOf(error), `resource_metadata="${metadata}"`].join(', ')].join(' ');
    },

    revokeAll: (userId) => grants.disconnect(userId),
  }),
});

const SCOPE = /^[\w:.*-]+$/;

/** RFC 6750, 3.1. The whole default set is asked for besides the missing scope, so that one consent is enough. */
function reasonOf({ code, details }: ServiceError): string[] {
  const scope = details?.['scope'];
  if (code === 'PERMISSION_DENIED' && typeof scope === 'string' && SCOPE.test(scope))
    return ['error="insufficient_scope"', `scope="${[...new Set([...DEFAULT_SCOPES, scope])].join(' ')}"`];
  if (code === 'UNAUTHENTICATED' && details?.['credential'] === 'refused') return ['error="invalid_token"'];
  return [];
}
