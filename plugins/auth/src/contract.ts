/**
 * The parts shared with a gateway, so that credentials, errors and discovery documents are the same on both.
 * Importing it loads neither the OAuth server nor the password hashing.
 */
export { MCP_PATHS } from './oauth/addresses.js';
export { oauthChallenge } from './oauth/challenge.js';
export { WELL_KNOWN, authorizationServer, mountDiscovery } from './oauth/discovery.js';
export { looksLikeApiKey } from './services/api-key-format.js';
export { createJwtVerifier, type JwtClaims } from './services/credentials/jwt-verifier.js';
export { bearerChallenge, invalidCredential } from './services/credentials/credential-errors.js';
export {
  CREDENTIAL_HEADERS,
  presentedCredentials,
  isJwt,
  type PresentedCredential,
} from './services/credentials/presented-credential.js';
export { findCredentials } from './services/find-credentials.js';
export { ACCESS_PREFIX } from './services/secrets.js';
