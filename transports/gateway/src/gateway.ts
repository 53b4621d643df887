import { ServiceError, type Origins } from '@service-mcp/core';
import { MetricsRegistry, createLog, createOrigins, isOwnMachine, openHttp } from '@service-mcp/core/host';
import { bearerChallenge, oauthChallenge } from '@service-mcp/plugin-auth/contract';
import { createGate } from './credentials.js';
import { mountDiscovery } from './discovery.js';
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

/** Starts a gateway: a reverse proxy before the service that keeps nothing. Throws BootError. */
export async function startGateway(settings: GatewaySettings): Promise<Gateway> {
  const { server, version } = settings;
  const gate = createGate(settings);
  const log = createLog(settings.log.level);
  const origins = createOrigins(server);
  const http = openHttp(server, {
    version,
    log,
    origins,
    challenge: (surface, error) =>
      surface === 'mcp' ? oauthChallenge(origins.origins(), error) : bearerChallenge(error),
  });
  const upstream = new Upstream(settings, log);
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
  mount.router.get(['/health', '/api/v1/health'], async (ctx) => {
    const status = (await upstream.isUp()) ? 'reachable' : 'unreachable';
    const jwt_verification = settings.upstream.jwt_secret === undefined ? 'upstream' : 'local';
    const behind = { url: settings.base, status };
    ctx.body = { status: 'ok', server: 'service-mcp', version, upstream: behind, jwt_verification };
  });
  mount.router.get('/ready', async (ctx) => {
    const isUp = await upstream.isUp();
    const check = isUp
      ? { status: 'ok', message: 'answers' }
      : { status: 'failed', message: 'does not answer' };
    ctx.status = isUp ? 200 : 503;
    ctx.body = { status: isUp ? 'ready' : 'unavailable', checks: [{ name: 'upstream', ...check }] };
  });
  mount.router.get('/metrics', async (ctx) => {
    ctx.type = metrics.prometheus.contentType;
    ctx.body = await metrics.prometheus.metrics();
  });
  mountDiscovery(mount, upstream);
  mountForwarding({
    http: mount,
    upstream,
    settings,
    gate,
    observe: (route, status, seconds) => observe(seconds, { route, status: String(status) }),
  });
  if (!settings.upstream.require_auth && !isOwnMachine(server)) warnUnauthenticated(settings.upstream);
  try {
    return { ...(await http.listen()), origins: origins.origins, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
