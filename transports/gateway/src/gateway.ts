import { ServiceError, type Origins } from '@service-mcp/core';
import {
  MetricsRegistry,
  createLog,
  createOrigins,
  isOwnMachine,
  mountHealth,
  openHttp,
  warnOfStrayVariables,
} from '@service-mcp/core/host';
import { bearerChallenge, oauthChallenge } from '@service-mcp/plugin-auth/contract';
import { createGate } from './credentials.js';
import { mountDocuments } from './discovery.js';
import { mountForwarding } from './forward.js';
import type { GatewaySettings } from './settings.js';
import { Upstream } from './upstream.js';
import { warnUnauthenticated } from './warning.js';

/** A running gateway. */
export interface Gateway {
  readonly url: string;
  readonly address: { readonly host: string; readonly port: number };
  readonly origins: () => Origins;
  /** Stops accepting, and ends what is in progress. */
  stop(): Promise<void>;
}

/** Bytes of bodies that are forwarded at the same time; the service has limits of its own. */
const BODY_BYTES = 256 * 1024 * 1024;

/** Starts a gateway: a reverse proxy before the service that keeps nothing. Throws BootError. */
export async function startGateway(settings: GatewaySettings): Promise<Gateway> {
  const { server, version } = settings;
  const gate = createGate(settings);
  const log = createLog(settings.log.level);
  warnOfStrayVariables(log, settings.strayVariables);
  const origins = createOrigins(server);
  const upstream = new Upstream(settings, log);
  const ready = async () => {
    const [status, message] = (await upstream.isUp()) ? ['ok', 'answers'] : ['failed', 'does not answer'];
    return [{ name: 'upstream', status, message }];
  };
  const http = openHttp(server, {
    ready,
    version,
    bodyBytes: BODY_BYTES,
    log,
    origins,
    needsCredential: settings.upstream.require_auth,
    challenge: (surface, error) =>
      surface === 'mcp' ? oauthChallenge(origins.origins(), error) : bearerChallenge(error),
  });
  const stopping = new ServiceError('UNAVAILABLE', 'The gateway is stopping. Try again in a moment.');
  const stop = async (): Promise<void> => {
    await http.close(() => void upstream.close(stopping));
    await upstream.close(stopping);
  };
  const { mount } = http;
  const metrics = new MetricsRegistry(log);
  const own = metrics.ownedBy('gateway');
  own.gauge({
    name: 'service_mcp_upstream_up',
    help: 'Whether the service behind this gateway is available: 1 or 0.',
    read: async (set) => set((await upstream.isUp()) ? 1 : 0),
  });
  const observe = own.histogram({
    name: 'service_mcp_gateway_seconds',
    help: 'Requests that the gateway forwarded, until the end of their answers',
    labels: ['route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
  });
  mountHealth(mount, {
    version,
    about: async () => ({
      upstream: { url: settings.base, status: (await upstream.isUp()) ? 'reachable' : 'unreachable' },
      jwt_verification: settings.upstream.jwt_secret === undefined ? 'upstream' : 'local',
    }),
    ready,
    metrics: metrics.prometheus,
  });
  mountDocuments(mount, upstream);
  mountForwarding({ http: mount, upstream, settings, gate, observe });
  if (!settings.upstream.require_auth && !isOwnMachine(server)) warnUnauthenticated(settings.upstream);
  try {
    return { ...(await http.listen()), origins: origins.origins, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
