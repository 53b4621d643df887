/**
 * What a gateway shares with this plugin, so that a credential, a refusal and a discovery document read the same at both.
 * Pure: importing it loads neither the OAuth server nor the hashing of passwords.
 */
export { MCP_PATHS } from './oauth/addresses.js';
export { oauthChallenge } from './oauth/challenge.js';
export { SERVER_DOCUMENTS, WELL_KNOWN, authorizationServer, protectedResource } from './oauth/documents.js';
export { looksLikeApiKey } from './services/api-key-format.js';
export { JWT_OPTIONS } from './services/credentials/jwt-options.js';
export { checkJwtSecret } from './services/credentials/jwt-secret.js';
export { bearerChallenge, refuseCredential } from './services/credentials/refuse.js';
export { CREDENTIAL_HEADERS, credentialsIn, isJwt, type Sent } from './services/credentials/sent.js';
export { ACCESS_PREFIX } from './services/secrets.js';
