import { LOCAL_OWNER, type CallContext } from '../caller.js';
import type { Catalog } from '../catalog.js';
import { toServiceError } from '../errors.js';
import { Log } from '../log.js';
import { Authenticator, Clock, Deployment, UpstreamCatalog, UpstreamHealth } from '../services.js';
import type { Selection } from '../toolset.js';
import { BootError } from './boot-error.js';
import { createCallMetrics, type ObserveCall } from '../call/call-metrics.js';
import { Container } from '../call/container.js';
import { PluginWork } from '../call/plugin-work.js';
import { providersOf } from '../call/provider-order.js';
import { describe, providesUpstream } from './describe-deployment.js';
import type { Host } from './host.js';
import type { LoadedDeployment } from './load.js';
import { deferred } from '../call/local-catalog.js';
import { Metrics } from '../metrics.js';
import { createLog } from './log.js';
import { MetricsRegistry, metricsOf, registerSessionGauge } from './metrics-registry.js';
import { createOrigins } from './origins.js';
import { createSeal } from '../storage/seal.js';
import { sectionInstances } from './sections.js';
import { serve } from './serve.js';
import { sessionsInMemory } from '../storage/sessions-in-memory.js';
import { sessionLimits } from '../storage/open-storage.js';

/** A running gateway: transports over the catalog of another service. It keeps no data. */
export type Gateway = Pick<Host, 'catalog' | 'deployment' | 'url' | 'address' | 'call' | 'stop'>;

/** What the service shows unasked; and everything that it allows. The service knows which tools these are. */
const UNASKED: Selection = { toolsets: [], readOnly: false };
const EVERYTHING: Selection = { toolsets: ['*'], readOnly: false };

/** Starts a gateway: a deployment with an upstream plugin. `listen: false` for one that is used in this process. */
export async function startGateway(
  loaded: LoadedDeployment,
  { listen = true }: { readonly listen?: boolean } = {},
): Promise<Gateway> {
  const { config, plugins } = loaded;
  refuseOthers(loaded);
  const stops: Array<() => unknown> = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const log = createLog(config.log.level);
    const origins = createOrigins(config.server);
    const deployment = describe(loaded, origins.origins);
    const metrics = new MetricsRegistry(log);
    const sessions = sessionsInMemory(sessionLimits(config));
    registerSessionGauge(metrics, sessions);
    if (listen) stops.push(new PluginWork(log, metrics.ownedBy('core'), loaded.folders).watch());
    const clock: Clock = { now: () => new Date() };
    const container = await Container.build(
      [
        { target: Log, value: log },
        { target: Clock, value: clock },
        { target: Metrics, ...metricsOf(metrics) },
        { target: Deployment, value: deployment },
        ...sectionInstances(loaded),
      ],
      providersOf(plugins),
    );
    stops.push(() => container.close());
    const ports = container.resolve(
      {
        upstream: UpstreamCatalog,
        health: UpstreamHealth,
        authenticator: Authenticator,
      },
      'core',
    ) as { upstream: Catalog; health: UpstreamHealth; authenticator: Authenticator };
    const catalog = observed(ports.upstream, createCallMetrics(metrics.prometheus));
    const exposure = {
      declared: [],
      defaultSelection: { ...UNASKED, readOnly: config.toolsets.read_only },
      ceiling: { ...EVERYTHING, readOnly: config.toolsets.read_only },
      selectionWords: undefined,
    };
    const ready = async () => {
      const { status } = await ports.health.status();
      const reachable = status === 'reachable';
      const message = reachable ? 'answers' : 'does not answer';
      return [{ name: 'upstream', status: reachable ? 'ok' : 'failed', message }];
    };
    const served = {
      catalog,
      exposure,
      sessions,
      seal: createSeal(),
      metrics,
      deployment,
      log,
      authenticator: ports.authenticator,
      health: {
        deployment,
        metrics: metrics.prometheus,
        authenticator: ports.authenticator,
        upstream: ports.health,
        ready,
      },
      origins,
      container,
    };
    const http = listen ? await serve(loaded, served, stops) : undefined;
    return {
      catalog,
      deployment,
      url: http?.url,
      address: http?.address,
      call: (init?: Partial<CallContext>): CallContext => ({
        caller: LOCAL_OWNER,
        surface: 'mcp',
        requestId: crypto.randomUUID(),
        deadline: Date.now() + config.server.call_timeout_ms,
        signal: AbortSignal.timeout(config.server.call_timeout_ms),
        selection: exposure.defaultSelection,
        log,
        ...init,
      }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What works on a database has none here. */
function refuseOthers({ plugins, config }: LoadedDeployment): void {
  if (!plugins.some(providesUpstream)) {
    throw new BootError(
      'plugins in the deployment file',
      'none of them reaches another service',
      'Enable @service-mcp/plugin-upstream, or start the deployment with: service-mcp serve',
    );
  }
  const other = plugins.find((plugin) => plugin.toolsets.length > 0 || plugin.migrations.length > 0);
  if (other) {
    throw new BootError(
      `plugin ${other.id}`,
      'a gateway serves the tools of another service and keeps no data',
      'Enable it there.',
    );
  }
  if (config.toolsets.exclude.length > 0) {
    throw new BootError(
      'toolsets.exclude in the deployment file',
      'a gateway shows what the service allows',
      'Set it there.',
    );
  }
}

/** The most names that become labels. */
const MAX_NAMES = 1000;

/** The catalog with its calls counted: under the names that the service has shown or answered, others as one. */
function observed(catalog: Catalog, observe: ObserveCall): Catalog {
  const known = new Set<string>();
  const learn = (name: string) => {
    if (known.size < MAX_NAMES) known.add(name);
  };
  return {
    ...deferred(() => catalog),
    async tools(call) {
      const tools = await catalog.tools(call);
      for (const { name } of tools) learn(name);
      return tools;
    },
    async call(name, args, call) {
      const startedAt = performance.now();
      let code: Parameters<ObserveCall>[2] = 'OK';
      try {
        const result = await catalog.call(name, args, call);
        learn(name);
        return result;
      } catch (thrown) {
        const error = toServiceError(thrown, call.requestId);
        code = error.code;
        throw error;
      } finally {
        const tool = known.has(name) ? name : 'unknown';
        observe(tool, call.surface, code, (performance.now() - startedAt) / 1000);
      }
    },
  };
}
