import { Clock, Database, contribute, provide } from '@service-mcp/core';
import { AccessRevoker } from '../services/revoke-access.js';
import { GrantStore, Grants } from './grant-store.js';
import { SafeFetch, createSafeFetch } from './safe-fetch.js';
import { oauthTokens } from './oauth-token-service.js';
import { SigningKeyStore, SigningKeys } from './signing-keys.js';

const uses = { database: Database, clock: Clock };

export const oauthServices = [
  provide(Grants, { uses, create: ({ database, clock }) => new GrantStore(database, clock) }),
  provide(SigningKeys, {
    uses,
    create: ({ database, clock }) => new SigningKeyStore(database, clock),
  }),
  provide(SafeFetch, {
    uses: {},
    create: () => createSafeFetch(),
    close: (fetch) => fetch.close?.(),
  }),
  contribute(AccessRevoker, {
    uses: { grants: Grants },
    create: ({ grants }) => ({ revoke: (sql, userId) => grants.revoke(sql, { user_id: userId }) }),
  }),
  oauthTokens,
];
