import { mkdirSync } from 'node:fs';
import { Registry as MetricsRegistry, collectDefaultMetrics } from 'prom-client';
import { LOCAL_OWNER, type CallContext } from '../caller.js';
import type { Catalog } from '../catalog.js';
import { isLoopback } from '../http/guard.js';
import { runChecks } from '../http/health.js';
import { defineWorker, type Config, type Plugin } from '../plugin.js';
import {
  AuditTrail,
  Authenticator,
  Clock,
  Database,
  Deployment,
  Events,
  FirstRun,
  HealthChecks,
  Log,
  Memberships,
  Metrics,
  RateLimits,
  RegistryView,
  ResourceOwners,
  type HealthCheck,
  type ResourceOwner,
} from '../services.js';
import { optional } from '../token.js';
import { Admissions } from './admission.js';
import { createCallLimits } from './call-limits.js';
import type { CoreConfig } from './config.js';
import { Container, type Instance } from './container.js';
import { openDatabase } from './database.js';
import { createEvents } from './events.js';
import { Idempotency } from './idempotency.js';
import { createInvoke } from './invoke.js';
import { latencyIn } from './latency.js';
import { livingProcessIds, newProcessId } from './lease.js';
import { databaseOptions, type LoadedDeployment } from './load.js';
import { createLocalCatalog } from './local-catalog.js';
import { createLog } from './log.js';
import { migrate } from './migrate.js';
import { createOrigins } from './origins.js';
import { createRateLimits } from './rate-limits.js';
import { Registry } from './registry.js';
import { refuseFaultyTools } from './refuse.js';
import { serve } from './serve.js';
import { startWorkers } from './workers.js';

export interface StartOptions {
  /** False: no HTTP server; calls are made in this process. Default true. */
  readonly listen?: boolean;
  /** False: nothing works in the background. Default true. */
  readonly workers?: boolean;
}

/** A running deployment. */
export interface Host {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  readonly database: Database;
  readonly registry: Registry;
  readonly plugins: readonly string[];
  /** Where it listens, as clients write it; undefined where it does not. */
  readonly url: string | undefined;
  readonly address: { readonly host: string; readonly port: number } | undefined;
  /** What an empty deployment needs first; undefined where no plugin keeps accounts. */
  readonly firstRun: FirstRun | undefined;
  /** The context of a call made in this process by the local owner, under the ceiling, with no deadline of its own. */
  call(init?: Partial<CallContext>): CallContext;
  /** The state of every part that can tell. */
  health(): ReturnType<typeof runChecks>;
  /** Runs every repair of a part that is not well; reports line by line. */
  repair(report: (line: string) => void, signal: AbortSignal): Promise<void>;
  /** Ends in reverse: no new calls, workers after their round, services, database. */
  stop(): Promise<void>;
}

/** Starts a deployment: the order of a life, one line a step. Throws BootError before it listens. */
export async function start(loaded: LoadedDeployment, options: StartOptions = {}): Promise<Host> {
  const { listen = true, workers = true } = options;
  const { config, plugins, validators } = loaded;
  const stops: Array<() => unknown> = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const log = createLog(config.log.level);
    const registry = new Registry(plugins, { ...config.toolsets, readOnly: config.toolsets.read_only });
    const origins = createOrigins(config.server);
    const deployment = describe(loaded, origins.origins);
    livingProcessIds.add(deployment.processId);
    stops.push(() => livingProcessIds.delete(deployment.processId));
    const database = await openDatabase(databaseOptions(loaded));
    stops.push(() => database.close());
    await migrate(database, plugins);
    const clock: Clock = { now: () => new Date() };
    const events = createEvents(database, clock);
    const rateLimits = createRateLimits(database, clock);
    const idempotency = new Idempotency(database, clock);
    const metrics = new MetricsRegistry();
    collectDefaultMetrics({ register: metrics });
    const container = await Container.build(
      [
        ...ownInstances({ log, clock, database, events, metrics, deployment, registry, rateLimits }),
        ...[...loaded.sections].map(([section, value]: [Config, unknown]): Instance => ({
          target: section.token,
          value,
        })),
      ],
      plugins.flatMap((plugin) => plugin.services),
    );
    stops.push(() => container.close());
    const ports = container.resolve({
      authenticator: optional(Authenticator),
      memberships: optional(Memberships),
      owners: ResourceOwners,
      checks: HealthChecks,
      audit: optional(AuditTrail),
      firstRun: optional(FirstRun),
    }) as {
      authenticator?: Authenticator;
      audit?: AuditTrail;
      firstRun?: FirstRun;
      memberships?: Memberships;
      owners: ResourceOwner[];
      checks: HealthCheck[];
    };
    refuseFaultyTools(registry, ports, container, validators);
    const admissions = new Admissions(ports.memberships, ports.owners);
    const limit = createCallLimits(rateLimits, config.limits);
    const latency = latencyIn(metrics);
    const { audit } = ports;
    const shared = { registry, container, admissions, limit };
    const invoke = createInvoke({ ...shared, validators, idempotency, audit, latency });
    const catalog = createLocalCatalog(plugins, { ...shared, invoke });
    const health = () => runChecks(ports.checks);
    const http = listen
      ? await serve(
          loaded,
          {
            catalog,
            registry,
            deployment,
            log,
            authenticator: ports.authenticator,
            health: { deployment, database, metrics, health, authenticator: ports.authenticator },
            origins,
            container,
          },
          stops,
        )
      : undefined;
    if (workers) {
      const all = [
        housekeeping([events, rateLimits, idempotency]),
        ...plugins.flatMap((plugin) => plugin.workers),
      ];
      stops.push(startWorkers(all, { container, database, events, log, processId: deployment.processId }));
    }
    return {
      catalog,
      deployment,
      database,
      registry,
      plugins: plugins.map(({ id }) => id),
      url: http?.url,
      address: http?.address,
      firstRun: ports.firstRun,
      call: (init) => ({
        caller: LOCAL_OWNER,
        surface: 'cli',
        requestId: crypto.randomUUID(),
        deadline: Number.MAX_SAFE_INTEGER,
        signal: new AbortController().signal,
        selection: registry.ceiling(),
        log,
        ...init,
      }),
      health,
      async repair(report, signal) {
        for (const check of ports.checks) {
          const { status } = await check.check();
          if (status !== 'ok' && check.repair) await check.repair(report, signal);
        }
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function describe(loaded: LoadedDeployment, origins: Deployment['origins']): Deployment {
  mkdirSync(loaded.dataDir, { recursive: true, mode: 0o700 });
  return {
    name: 'service-mcp',
    version: loaded.version,
    dataDir: loaded.dataDir,
    singleOwner: !loaded.plugins.some(providesAuthenticator),
    processId: newProcessId(),
    loopback: isOwnMachine(loaded.config.server),
    origins,
  };
}

/** Where a proxy stands before it, others reach a loopback address too; one that passes Host on needs `allowed_hosts`. */
function isOwnMachine(server: CoreConfig['server']): boolean {
  const { host, base_url, mcp_url, web_url, trusted_proxies, allowed_hosts } = server;
  const urls = [base_url, mcp_url, web_url].flatMap((url) =>
    url === undefined ? [] : [new URL(url).hostname],
  );
  const names = [...urls, ...allowed_hosts.map((name) => name.replace(/:\d+$/, ''))];
  return trusted_proxies.length === 0 && [host, ...names].every(isLoopback);
}

function providesAuthenticator(plugin: Plugin): boolean {
  return plugin.services.some(({ target }) => target.key === Authenticator.key);
}

function ownInstances(own: {
  log: Log;
  clock: Clock;
  database: Database;
  events: Events;
  metrics: MetricsRegistry;
  deployment: Deployment;
  registry: Registry;
  rateLimits: RateLimits;
}): Instance[] {
  return [
    { target: Log, value: own.log },
    { target: Clock, value: own.clock },
    { target: Database, value: own.database },
    { target: Events, value: own.events },
    { target: Metrics, value: own.metrics },
    { target: Deployment, value: own.deployment },
    { target: RegistryView, value: own.registry },
    { target: RateLimits, value: own.rateLimits },
  ];
}

/** Drops what is kept for a time, when its time is over. */
function housekeeping(parts: ReadonlyArray<{ expire(): Promise<void> }>) {
  return defineWorker({
    id: 'core.housekeeping',
    uses: {},
    everyMs: 10 * 60 * 1000,
    exclusive: true,
    async run() {
      for (const part of parts) await part.expire();
      return { more: false };
    },
  });
}
