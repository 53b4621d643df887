import { Authenticator, Deployment, LOCAL_OWNER, ServiceError, provide } from '@service-mcp/core';
import { bearerChallenge, isJwt, oauthChallenge } from '@service-mcp/plugin-auth/contract';
import { config } from '../config.js';
import { ServiceConnection } from '../connection/service.js';
import { givenIn } from './given.js';
import { CallerCredentials } from './credentials.js';
import { ServiceMonitor } from '../monitor/monitor.js';
import { createJudge } from './judge.js';
import { createVerifyJwt } from './jwt.js';
import { isThisMachine } from './peer.js';

/**
 * Who calls the gateway. A credential in one of the four headers makes a caller of its own, and goes on to the service
 * as it came. Without one:
 *
 * - where authentication is required, nobody (401);
 * - else the local owner, with the gateway's own key; from another machine only where the operator allows it.
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
    const judge = createJudge({ connection, version: deployment.version }, () => monitor.up === false);
    return {
      verifiesJwt: verifyJwt !== undefined,
      challenge: (surface, error) =>
        surface === 'mcp' ? oauthChallenge(deployment.origins(), error) : bearerChallenge(error),
      async authenticate({ headers, peer, forwarded = false }) {
        if (!required && !allowsRemote && (forwarded || !isThisMachine(peer))) throw foreignPeer();
        const trail = credentials.trail(headers);
        const given = givenIn(headers);
        if (!given) {
          return required
            ? undefined
            : credentials.hold({ ...LOCAL_OWNER }, { ...credentials.own, ...trail });
        }
        for (const sent of given.sent) if (isJwt(sent)) await verifyJwt?.(sent.value);
        const sentOn = { ...given.headers, ...trail };
        const userId = await judge(given.id, sentOn, { mustBeAccepted: required });
        const caller = { kind: given.kind, userId, name: 'a client', scopes: ['*'] };
        return credentials.hold(caller, sentOn);
      },
    };
  },
});

function foreignPeer(): ServiceError {
  return new ServiceError(
    'PERMISSION_DENIED',
    'This gateway asks for no credential, so that it serves its own machine alone. Its operator can set MCP_HTTP_REQUIRE_AUTH=true, or MCP_HTTP_ALLOW_REMOTE=true behind a proxy that authenticates.',
  );
}
