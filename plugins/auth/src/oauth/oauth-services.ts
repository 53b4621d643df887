import { Clock, Database, provide } from '@service-mcp/core';
import { Grants, createGrants } from './grant-store.js';
import { SafeFetch, createSafeFetch } from './safe-fetch.js';
import { oauthTokens } from './oauth-tokens.js';
import { SigningKeys, createSigningKeys } from './signing-keys.js';

const uses = { database: Database, clock: Clock };

export const oauthServices = [
  provide(Grants, { uses, create: createGrants }),
  provide(SigningKeys, { uses, create: createSigningKeys }),
  provide(SafeFetch, { uses: {}, create: () => createSafeFetch(), close: (fetch) => fetch.close?.() }),
  oauthTokens,
];
