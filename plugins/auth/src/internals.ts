/** Internals for tests. No other package's source may import it. */
export { SafeFetch, createSafeFetch, type OutgoingAccess } from './oauth/safe-fetch.js';
export { createClientDocuments } from './oauth/client-documents.js';
export { normaliseClientMetadata } from './oauth/client-metadata.js';
export { isPublicAddress } from './oauth/public-address.js';
export { canonicalResource } from './oauth/addresses.js';
export { OAuthTokens } from './oauth/oauth-tokens.js';
export { SigningKeys } from './oauth/signing-keys.js';
export { browserName } from './pages/browser-name.js';
export { localPath, targetCspSource, describeTarget } from './pages/redirect-target.js';
export { newApiKey } from './services/api-key-format.js';
export { newSecret } from './services/secrets.js';
export type { ProvenAccount } from './services/account-store.js';
export { Accounts } from './services/accounts.js';
export { createReset } from './services/reset-tokens.js';
export type { Session } from './schemas.js';
export { Sessions } from './services/sessions.js';

/** Loads oidc-provider on demand. */
export const loadProvider = () => import('./oauth/provider.js');
