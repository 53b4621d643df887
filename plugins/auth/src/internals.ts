/** What the tests of this plugin look at behind its surfaces. No other package uses it. */
export { GuardedFetch, createGuardedFetch } from './oauth/guarded-fetch.js';
export { normaliseClientMetadata } from './oauth/client-metadata.js';
export { isPublicAddress } from './oauth/public-address.js';
export { canonicalResource } from './oauth/resource.js';
export { OAuthTokens } from './oauth/oauth-tokens.js';
export { SigningKeys } from './oauth/signing-keys.js';
export { localPath, targetAsSource, targetInWords } from './pages/redirect-target.js';
export { Accounts, type ProvenAccount } from './services/accounts.js';
export { Sessions } from './services/sessions.js';

/** The library behind it is loaded when it is needed. */
export const loadProvider = () => import('./oauth/provider.js');
