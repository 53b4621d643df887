import { Authenticator, Deployment, LOCAL_OWNER, ServiceError, provide } from '@service-mcp/core';
import { bearerChallenge, isJwt, oauthChallenge } from '@service-mcp/plugin-auth/contract';
import { config } from '../config.js';
import { ServiceConnection } from '../connection/service-connection.js';
import { requestCredentials } from './request-credentials.js';
import { CallerCredentials } from './credentials.js';
import { ServiceMonitor } from '../monitor/monitor.js';
import { createPrincipalResolver } from './resolve-principal.js';
import { createVerifyJwt } from './verify-jwt.js';
import { isThisMachine } from './peer.js';

/**
 * Resolves callers of the gateway. A credential in one of the four headers is forwarded to the service unchanged.
 * Without one the call is rejected (401) if authentication is required; else the caller is the local owner, with the
 * gateway's own key. Other machines need a credential unless the operator allows remote calls.
 */
export const authenticator = provide(Authenticator, {
  uses: {
    settings: config.token,
    deployment: Deployment,
    connection: ServiceConnection,
    credentials: CallerCredentials,
    monitor: ServiceMonitor,
  },
  create({ settings, deployment, connection, credentials, monitor }) {
    const { require_auth: required, allow_remote: allowsRemote } = settings;
    const verifyJwt = createVerifyJwt(settings.jwt_secret);
    const resolvePrincipal = createPrincipalResolver(
      { connection, version: deployment.version },
      () => monitor.up === false,
    );
    return {
      verifiesJwt: verifyJwt !== undefined,
      challenge: (surface, error) =>
        surface === 'mcp' ? oauthChallenge(deployment.origins(), error) : bearerChallenge(error),
      async authenticate({ headers, peer, forwarded = false }) {
        if (!required && !allowsRemote && (forwarded || !isThisMachine(peer))) throw remotePeer();
        const trail = credentials.trail(headers);
        const given = requestCredentials(headers);
        if (!given) {
          return required
            ? undefined
            : credentials.attach({ ...LOCAL_OWNER }, { ...credentials.own, ...trail });
        }
        for (const credential of given.credentials)
          if (isJwt(credential)) await verifyJwt?.(credential.value);
        const forwardedHeaders = { ...given.headers, ...trail };
        const userId = await resolvePrincipal(given.id, forwardedHeaders, { mustBeAccepted: required });
        const caller = { kind: given.kind, userId, name: 'a client', scopes: ['*'] };
        return credentials.attach(caller, forwardedHeaders);
      },
    };
  },
});

function remotePeer(): ServiceError {
  return new ServiceError(
    'PERMISSION_DENIED',
    'This gateway requires no credential, so it serves only its own machine. Its operator can set MCP_HTTP_REQUIRE_AUTH=true, or MCP_HTTP_ALLOW_REMOTE=true behind an authenticating proxy.',
  );
}
