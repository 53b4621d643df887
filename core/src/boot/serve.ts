import type { LimitRequest } from '../call/call-limits.js';
import type { Catalog, ToolInfo } from '../catalog.js';
import { acceptFor, createAccept, selectionOf } from '../call/accept.js';
import { CallDeadlines } from '../call/call-deadlines.js';
import { createCall } from '../http/call.js';
import { isLoopback } from '../http/guard.js';
import { mountHealth, needsMetricsScope, type Check } from '../http/health.js';
import type { HttpMount } from '../http/index.js';
import type { Log } from '../log.js';
import type { Authenticator, Deployment } from '../services.js';
import type { Transport, TransportContext } from '../transport.js';
import { BootError } from './boot-error.js';
import { describeParts } from './describe-parts.js';
import type { StartOptions } from './host.js';
import type { Container } from '../call/container.js';
import type { LoadedDeployment } from './load.js';
import type { MetricsRegistry } from './metrics-registry.js';
import { openHttp } from './open-http.js';
import type { createOrigins } from './origins.js';
import { RouteOwners } from './route-owners.js';
import type { Selection } from '../toolset.js';
import type { Seal } from '../seal.js';
import type { Sessions } from '../sessions.js';

/** How long calls that transports accepted may run on at a stop. Transports wait 4 s for them, and answer meanwhile. */
const ACCEPTED_GRACE_MS = 3_000;

/** The part of a catalog that a request may choose from, and the part that it gets by default. */
export interface Exposure {
  readonly declared: readonly ToolInfo[];
  readonly defaultSelection: Selection;
  readonly ceiling: Selection;
  /** The words that a request may select by. */
  readonly selectionWords: readonly string[];
}

interface Served {
  readonly catalog: Catalog;
  readonly exposure: Exposure;
  readonly sessions: Sessions;
  readonly seal: Seal;
  readonly metrics: MetricsRegistry;
  readonly deployment: Deployment;
  readonly log: Log;
  readonly authenticator: Authenticator | undefined;
  /** The checks of `/ready`. */
  readonly ready: () => Promise<readonly Check[]>;
  readonly installation: string;
  readonly origins: ReturnType<typeof createOrigins>;
  readonly container: Container;
  readonly limit: LimitRequest;
}

/** Mounts every transport and binds. */
export async function serve(
  loaded: LoadedDeployment,
  served: Served,
  {
    stops,
    refusals,
    drain,
  }: {
    readonly stops: Array<() => unknown>;
    readonly refusals: Array<() => void>;
    readonly drain: StartOptions['drain'];
  },
) {
  const { server, limits } = loaded.config;
  const { exposure, catalog, deployment, log } = served;
  if (!served.authenticator && !isLoopback(server.host)) {
    throw new BootError(
      `server.host ${server.host}`,
      'a deployment without an auth plugin has one owner and no credentials, so it binds loopback addresses alone',
      'Bind 127.0.0.1 (and put an authenticating proxy before it), or enable an auth plugin.',
    );
  }
  const deadlines = new CallDeadlines(server.call_timeout_ms);
  /** Those of calls that transports accept themselves and wait for at their end. */
  const accepted = new CallDeadlines(server.call_timeout_ms);
  const accepting = { ...exposure, authenticator: served.authenticator, log };
  const accept = createAccept(accepting);
  const challenge: HttpMount['challenge'] = (surface, error, caller) =>
    served.authenticator?.challenge(surface, error, caller) ?? 'Bearer';
  const { origins } = served;
  const needsCredential = served.authenticator !== undefined;
  const { version } = deployment;
  const bodyBytes = limits.body_bytes;
  const { ready } = served;
  const http = openHttp(server, { version, bodyBytes, log, challenge, origins, needsCredential, ready });
  const mount: HttpMount = {
    ...http.mount,
    call: createCall(accept, deadlines, served.limit),
    selection: (ctx, { ceiling = false } = {}) =>
      selectionOf(accepting, { headers: ctx.req.headers, query: ctx.querystring, ceiling }),
  };
  let grace: NodeJS.Timeout | undefined;
  refusals.push(() => {
    http.refuse();
    grace ??= setTimeout(() => accepted.stop(), ACCEPTED_GRACE_MS);
  });
  // After the transports have ended their streams; those of calls without a deadline end here.
  stops.push(() => {
    clearTimeout(grace);
    accepted.stop();
    deadlines.stop({ endless: true });
    return http.close(() => deadlines.stop(), drain);
  });
  const owned = new RouteOwners(mount.router, loaded.plugins);
  mountHealth(mount, {
    version: loaded.version,
    about: async () => ({
      upstream: null,
      jwt_verification: served.authenticator?.verifiesJwt ? 'local' : 'upstream',
    }),
    ready,
    installation: served.installation,
    metrics: served.metrics.prometheus,
    ...(!served.deployment.loopback && { admit: needsMetricsScope(mount) }),
  });
  owned.claim('core');
  const described = describeParts(loaded);
  for (const transport of loaded.transports) {
    const context: TransportContext<unknown> = {
      catalog,
      declared: exposure.declared,
      ...described,
      sessions: served.sessions,
      seal: served.seal,
      metrics: served.metrics.ownedBy(`transport ${transport.id}`),
      config: transport.config && loaded.sections.get(transport.config),
      deployment,
      log: log.child({ transport: transport.id }),
      http: mount,
      accept: acceptFor(transport.id, accepting, accept, accepted),
    };
    const unmount = await mounted(transport, context as TransportContext<never>); // erasure: the section was checked by the transport's schema
    if (unmount) stops.push(unmount);
    owned.claim(`transport ${transport.id}`);
  }
  for (const { id, routes } of loaded.plugins) {
    for (const { uses, mount: add } of routes) {
      const deps = served.container.resolve(uses, id);
      const ended = add(mount, deps as never); // erasure: deps were typed by defineRoutes
      if (ended) stops.push(ended);
    }
    owned.claim(`plugin ${id}, routes`);
  }
  return http.listen();
}

async function mounted(transport: Transport, context: TransportContext<never>) {
  try {
    return await transport.mount(context);
  } catch (error) {
    if (error instanceof BootError) throw error;
    throw new BootError(
      `transport ${transport.id}`,
      `it does not start: ${error instanceof Error ? error.message : String(error)}`,
      'Change what it needs, or leave it out of the deployment file.',
      error,
    );
  }
}
