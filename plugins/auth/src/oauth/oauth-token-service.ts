import { Clock, Database, Deployment, provide } from '@service-mcp/core';
import { audience } from './addresses.js';
import { oauthChallenge } from './challenge.js';
import { OAuthTokens } from './oauth-tokens.js';
import { readPayload, recordKey } from './record-store.js';

interface TokenRow {
  user_id: string;
  name: string;
  administrator: number;
  client_id: string;
  grant_id: string;
  payload: string;
  expires_at: number | string;
}

/** Reads token, consent and user together: all three must be valid. */
const FIND = `
  SELECT token.user_id, users.name, users.administrator, token.client_id, token.grant_id, token.payload, token.expires_at
  FROM oauth_records AS token
  JOIN oauth_grants AS consent ON consent.id = token.grant_id
  JOIN users ON users.id = token.user_id
  WHERE token.key = ? AND users.disabled_at IS NULL`;

export const oauthTokens = provide(OAuthTokens, {
  uses: { database: Database, clock: Clock, deployment: Deployment },
  create: ({ database, clock, deployment }) => {
    const find = database.prepare<TokenRow>('auth_find_oauth_token', FIND);
    return {
      async find(accessToken) {
        const row = await find(recordKey('AccessToken', accessToken));
        if (!row || Number(row.expires_at) <= clock.now().getTime()) return undefined;
        const { aud, scope } = readPayload(row.payload, accessToken) as { aud?: string; scope?: string };
        if (aud !== audience(deployment.origins())) return undefined;
        return {
          userId: row.user_id,
          userName: row.name,
          administrator: row.administrator === 1,
          clientId: row.client_id,
          grantId: row.grant_id,
          scopes: (scope ?? '').split(' ').filter(Boolean),
          expiresAt: new Date(Number(row.expires_at)).toISOString(),
        };
      },

      challenge: (error) => oauthChallenge(deployment.origins(), error),
    };
  },
});
