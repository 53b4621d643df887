import { LOCAL_OWNER, type CallContext } from '../caller.js';
import type { Catalog } from '../catalog.js';
import { runChecks, runReady } from '../http/health.js';
import type { Database } from '../database.js';
import {
  AuditTrail,
  Authenticator,
  type Clock,
  type Deployment,
  FirstRun,
  HealthChecks,
  LocalCatalog,
  Memberships,
  ResourceOwners,
  type HealthCheck,
  type ResourceOwner,
} from '../services.js';
import { optional } from '../token.js';
import { Admissions } from '../call/admission.js';
import { createCallLimits, createRequestLimits } from '../call/call-limits.js';
import { createCallMetrics } from '../call/call-metrics.js';
import { createOnChanged } from '../events/catalog-changes.js';
import { Container } from '../call/container.js';
import { accountResults } from '../call/account-results.js';
import { keyedResults } from '../call/idempotency.js';
import { providersOf } from '../call/provider-order.js';
import { endAll } from '../end-all.js';
import { allocateYoung } from './allocate-young.js';
import { describe } from './describe-deployment.js';
import { createEventStream } from '../events/event-stream.js';
import { createInvoke } from '../call/invoke.js';
import { PluginWork } from '../call/plugin-work.js';
import { createLeases, livingProcessIds } from '../storage/lease.js';
import type { LoadedDeployment } from './load.js';
import { createLocalCatalog, deferred } from '../call/local-catalog.js';
import { createLog } from './log.js';
import { MetricsRegistry, registerSessionGauge } from './metrics-registry.js';
import { noteOrigins, readNotedOrigins } from './noted-origins.js';
import { boundOrigin, createOrigins } from './origins.js';
import { Registry } from './registry.js';
import { refuseFaultyDeclarations } from './check-declarations.js';
import { refuseFaultyViews } from './check-views.js';
import { refuseUnservable } from './check-tools.js';
import { refuseFaultyTables } from './refuse-faulty-tables.js';
import { refuseTwinOwners } from './refuse-twins.js';
import { ownInstances } from './own-instances.js';
import { sectionInstances } from './sections.js';
import { serve } from './serve.js';
import { openStored } from '../storage/open-storage.js';
import { notePostgres } from '../storage/postgres-marker.js';
import { openPrivateFolder } from '../storage/private-folder.js';
import { createWorkQueues } from '../storage/work-queues.js';
import { WorkQueues } from '../work.js';
import { warnOfStrayVariables } from './stray-variables.js';
import { listsDigest, noteLists } from './tools-changed.js';
import { isElsewhere, startBackground, superviseWorkers } from './background.js';
import { checkWorkersElsewhere } from './worker-presence.js';
import type { SpawnWorker } from './worker-process.js';

export interface StartOptions {
  /** False: no HTTP server; calls are made in this process. Default true. */
  readonly listen?: boolean;
  /**
   * What works in the background: every worker (true, the default), none, or only those that run apart from a service.
   */
  readonly workers?: boolean | 'apart';
  /** False: a command that looks at the deployment, without workers (see `Deployment.isService`). Default true. */
  readonly isService?: boolean;
  /** Starts a process that runs this deployment with `workers: 'apart'`. Without it, they run inside. */
  readonly spawnWorker?: SpawnWorker;
  /**
   * How long `stop` waits for calls in progress before it ends them, and for further requests on connections that clients
   * keep, which it answers with UNAVAILABLE. Default: 0.
   */
  readonly drain?: { readonly graceMs: number; readonly quietMs: number };
  /** How long `stop` waits for the rounds of workers. Default 4 s. */
  readonly workerGraceMs?: number;
}

/** A running deployment. */
export interface Host {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  readonly database: Database;
  /** Public id of the database: `/ready` of a service over the same one shows it too. */
  readonly installation: string;
  readonly registry: Registry;
  readonly plugins: readonly string[];
  /** Address as clients write it; undefined where it does not listen. */
  readonly url: string | undefined;
  readonly address: { readonly host: string; readonly port: number } | undefined;
  /** Where the service that was started last over the database is bound; undefined where it listens, and before the first. */
  readonly servedAt: string | undefined;
  /** The first step of an empty deployment; undefined where no plugin keeps accounts. */
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
  const { listen = true, workers = true, isService = true } = options;
  const { config, plugins, validators } = loaded;
  const stops: Array<() => unknown> = [];
  const refusals: Array<() => void> = [];
  if (listen) allocateYoung();
  const stop = async () => {
    for (const refuse of refusals) refuse();
    await endAll(stops.splice(0).reverse());
  };
  try {
    // A child process writes where its service does: without a name, what both say would seem to be said twice.
    const isChild = workers === 'apart' && process.connected;
    const log = createLog(config.log.level, isChild ? { process: 'background work' } : null);
    if (listen) warnOfStrayVariables(log, loaded.strayVariables);
    openPrivateFolder(loaded.dataDir, log);
    const clock: Clock = { now: () => new Date() };
    refuseFaultyDeclarations(loaded);
    refuseFaultyViews(plugins, validators);
    const registry = new Registry(plugins, { ...config.toolsets, readOnly: config.toolsets.read_only });
    const origins = createOrigins(config.server);
    const deployment = describe(loaded, { origins: origins.origins, isService });
    livingProcessIds.add(deployment.processId);
    stops.push(() => livingProcessIds.delete(deployment.processId));
    const stored = await openStored(loaded, {
      clock,
      log,
      stops,
      processId: deployment.processId,
      lists: listsDigest(registry),
    });
    const { database, events, feed, sessions, seal, rateLimits, idempotency } = stored;
    if (isService && database.engine === 'postgresql') notePostgres(loaded.dataDir, log);
    const noted = listen ? undefined : await readNotedOrigins(database);
    if (noted && !loaded.isBindingGiven) origins.recall(noted);
    const leases = createLeases(database, deployment.processId);
    stops.push(() => leases.close());
    const metrics = new MetricsRegistry(log);
    registerSessionGauge(metrics, sessions);
    const observeCall = createCallMetrics(metrics.prometheus); // before a plugin can take their names
    const work = new PluginWork(log, metrics.ownedBy('core'), loaded.folders);
    if (listen || workers === 'apart') stops.push(work.watch());
    const queues = createWorkQueues({ database, clock, metrics: metrics.ownedBy('core') });
    const container = await Container.build(
      [
        ...ownInstances({
          log,
          clock,
          database,
          events,
          metrics,
          deployment,
          registry,
          rateLimits,
          leases,
          seal,
          usage: stored.usage,
          plugins,
          validators,
        }),
        { target: WorkQueues, value: queues },
        { target: LocalCatalog, value: deferred(() => catalog) },
        ...sectionInstances(loaded),
      ],
      // Core erases last, so that a deletion locks rows in the order of a creation: those of plugins, then that of its key.
      [
        ...providersOf(plugins),
        ...[keyedResults, accountResults].map((provider) => ({ plugin: 'core', provider })),
      ],
    );
    stops.push(() => container.close());
    const ports = container.resolve(
      {
        authenticator: optional(Authenticator),
        memberships: optional(Memberships),
        owners: ResourceOwners,
        checks: HealthChecks,
        audit: optional(AuditTrail),
        firstRun: optional(FirstRun),
      },
      'core',
    ) as {
      authenticator?: Authenticator;
      audit?: AuditTrail;
      firstRun?: FirstRun;
      memberships?: Memberships;
      owners: ResourceOwner[];
      checks: HealthCheck[];
    };
    refuseUnservable(registry, plugins, ports, container);
    const pluginOf = (owner: ResourceOwner) => container.contributorOf(owner);
    refuseTwinOwners(ports.owners, pluginOf);
    await queues.refuseMissingTables();
    await refuseFaultyTables(ports.owners, { database, queues, pluginOf });
    const admissions = new Admissions(ports.memberships, ports.owners);
    const limit = createCallLimits(rateLimits, config.limits);
    const { audit } = ports;
    const shared = { registry, container, admissions, owners: ports.owners, limit };
    const invoke = createInvoke({
      ...shared,
      work,
      validators,
      idempotency,
      audit,
      observe: [observeCall, stored.usage.observe],
      makeRoom: () => database.makeRoom(),
    });
    const streamEvents = createEventStream(plugins, { feed, admissions, seal });
    const onChanged = createOnChanged(plugins, feed, log);
    const catalog: Catalog = createLocalCatalog(plugins, { ...shared, invoke, streamEvents, onChanged });
    if (isService && listen) await noteLists(database, events, sessions.lists);
    const child = superviseWorkers(options, { config, events, log, metrics });
    const heavyWork = child ?? (isElsewhere(options, config) ? checkWorkersElsewhere(database) : undefined);
    const checks = heavyWork ? [...ports.checks, heavyWork] : ports.checks;
    const health = () => runChecks(checks, { thorough: true });
    const http = listen
      ? await serve(
          loaded,
          {
            catalog,
            exposure: {
              declared: registry.allowed.map(({ info }) => info),
              defaultSelection: registry.defaultSelection(),
              ceiling: registry.ceiling(),
              selectionWords: registry.words(),
            },
            sessions,
            seal,
            metrics,
            deployment,
            log,
            authenticator: ports.authenticator,
            ready: () => runReady(database, checks),
            installation: stored.installation,
            origins,
            container,
            limit: createRequestLimits(limit, (tool) => registry.groupOf(tool)),
          },
          { stops, refusals, drain: options.drain },
        )
      : undefined;
    if (http) {
      const bound = boundOrigin(http.address.host, http.address.port);
      await noteOrigins(database, { ...origins.origins(), bound });
    }
    const background = { container, leases, events, log, metrics, work, stops };
    startBackground(loaded, { ...options, housekeeper: stored.housekeeper, child }, background);
    return {
      catalog,
      deployment,
      database,
      installation: stored.installation,
      registry,
      plugins: plugins.map(({ id }) => id),
      url: http?.url,
      address: http?.address,
      servedAt: noted?.bound,
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
          const { status } = await check.check({ thorough: true });
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
