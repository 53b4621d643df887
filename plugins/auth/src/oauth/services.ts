import { Clock, Database, contribute, provide } from '@service-mcp/core';
import { SessionEnd } from '../services/session-end.js';
import { GrantStore, Grants } from './grant-store.js';
import { GuardedFetch, createGuardedFetch } from './guarded-fetch.js';
import { oauthTokens } from './oauth-token-service.js';
import { SigningKeyStore, SigningKeys } from './signing-keys.js';

const stored = { database: Database, clock: Clock };

export const oauthServices = [
  provide(Grants, { uses: stored, create: ({ database, clock }) => new GrantStore(database, clock) }),
  provide(SigningKeys, {
    uses: stored,
    create: ({ database, clock }) => new SigningKeyStore(database, clock),
  }),
  provide(GuardedFetch, {
    uses: {},
    create: () => createGuardedFetch(),
    close: (fetch) => fetch.close?.(),
  }),
  contribute(SessionEnd, {
    uses: { grants: Grants },
    create: ({ grants }) => ({ end: (sql, userId) => grants.end(sql, { user_id: userId }) }),
  }),
  oauthTokens,
];
