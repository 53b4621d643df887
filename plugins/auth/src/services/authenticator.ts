import {
  Authenticator,
  Clock,
  Database,
  Deployment,
  provide,
  type AuthenticationRequest,
  type Caller,
} from '@service-mcp/core';
import { config } from '../config.js';
import { OAuthTokens } from '../oauth/oauth-tokens.js';
import { looksLikeApiKey } from './api-key-format.js';
import { createKeyCheck } from './credentials/api-key.js';
import { checkBrowser, rejectForeignPage } from './credentials/browser.js';
import { createJwtCheck } from './credentials/jwt.js';
import { bearerChallenge, invalidCredential } from './credentials/credential-errors.js';
import { presentedCredentials, isJwt, type PresentedCredential } from './credentials/presented-credential.js';
import { createSessionCheck } from './credentials/session-token.js';
import { CredentialUsage } from './credential-usage.js';
import { ACCESS_PREFIX, REFRESH_PREFIX } from './secrets.js';
import { Sessions } from './sessions.js';

/**
 * Resolves credentials to a Caller, in this order; the first one determines the caller:
 *
 * 1. `X-Service-API-Key`: an API key
 * 2. `X-API-Key`: the same
 * 3. `X-Service-JWT`: a JWT
 * 4. `Authorization: Bearer`: a JWT when it has three parts, else an API key, the access token of a login, or an
 *    OAuth access token (on the MCP endpoints only)
 * 5. the session cookie of a browser; an expired one is ignored
 *
 * Every credential must be valid and belong to the same person; anything else is UNAUTHENTICATED.
 */
export const authenticator = provide(Authenticator, {
  uses: {
    database: Database,
    clock: Clock,
    deployment: Deployment,
    settings: config.token,
    sessions: Sessions,
    usage: CredentialUsage,
    oauth: OAuthTokens,
  },
  create(deps) {
    const { deployment, sessions, oauth } = deps;
    const checkKey = createKeyCheck(deps);
    const checkSession = createSessionCheck(deps);
    const checkJwt = createJwtCheck(deps);

    async function check(
      credential: PresentedCredential,
      { surface }: AuthenticationRequest,
    ): Promise<Caller> {
      const { form, value } = credential;
      if (isJwt(credential)) {
        if (checkJwt) return checkJwt(value);
        throw invalidCredential(
          'This service does not accept JWTs. Send an API key or the access token of a login.',
        );
      }
      if (form === 'key' || looksLikeApiKey(value)) return checkKey(value);
      if (value.startsWith(ACCESS_PREFIX)) return checkSession(value);
      if (value.startsWith(REFRESH_PREFIX))
        throw invalidCredential('This is a refresh token. Send the access token of the login.');
      const caller = await oauth.find(value);
      if (!caller)
        throw invalidCredential(
          'This token is unknown, expired or revoked. Log in again, or send an API key.',
        );
      if (surface !== 'mcp')
        throw invalidCredential(
          'An OAuth access token is valid only for the MCP endpoints. Send an API key or the access token of a login here.',
        );
      return caller;
    }

    return {
      verifiesJwt: checkJwt !== undefined,
      challenge: (surface, error, caller) =>
        surface === 'mcp' ? oauth.challenge(error, caller) : bearerChallenge(error),
      async authenticate(request) {
        const { headers } = request;
        let caller: Caller | undefined;
        for (const credential of presentedCredentials(headers)) {
          const found = await check(credential, request);
          caller = samePerson(caller, found);
        }
        if (headers['cookie'] === undefined) return caller;
        const origins = deployment.origins();
        const browser = await checkBrowser(request, sessions, origins);
        if (!browser) return caller;
        if (!caller) rejectForeignPage(request, origins);
        return samePerson(caller, browser);
      },
    };
  },
});

function samePerson(first: Caller | undefined, second: Caller): Caller {
  if (first && first.userId !== second.userId)
    throw invalidCredential('The request has credentials of two people. Send one credential.');
  return first ?? second;
}
