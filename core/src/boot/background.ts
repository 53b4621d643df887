import type { Container } from '../call/container.js';
import type { EventLog } from '../events/event-log.js';
import type { Events } from '../change-events.js';
import type { Log } from '../log.js';
import type { Apart, Worker } from '../plugin.js';
import type { StartOptions } from './host.js';
import type { LoadedDeployment } from './load.js';
import { followParent } from './follow-parent.js';
import type { MetricsRegistry } from './metrics-registry.js';
import { WorkerProcess } from './worker-process.js';
import { workerPresence } from './worker-presence.js';
import { pauseOf, startWorkers, type PluginWorker, type WorkerHost } from './workers.js';

/** The child process of a service whose settings place the heavy work there. */
export function superviseWorkers(
  { listen = true, workers = true, spawnWorker }: StartOptions,
  parts: { config: LoadedDeployment['config']; events: Events; log: Log; metrics: MetricsRegistry },
): WorkerProcess | undefined {
  const { config, events, log, metrics } = parts;
  if (!listen || !spawnWorker || workers !== true || config.workers.run !== 'child') return undefined;
  const child = new WorkerProcess({
    spawn: spawnWorker,
    idleMs: config.workers.idle_ms,
    events,
    metrics,
    log,
  });
  child.registerMetrics(metrics.ownedBy('core'));
  return child;
}

/** Whether a service leaves the heavy work to `service-mcp worker`. */
export function isElsewhere(
  { listen = true }: StartOptions,
  { workers }: LoadedDeployment['config'],
): boolean {
  return listen && workers.run === 'elsewhere';
}

/** Starts the workers that run in this process; `stops` end them, and the child process. */
export function startBackground(
  { plugins, config }: LoadedDeployment,
  options: StartOptions & { readonly housekeeper: Worker; readonly child: WorkerProcess | undefined },
  parts: Omit<WorkerHost, 'events' | 'countFailed'> & {
    readonly events: Events & EventLog;
    readonly metrics: MetricsRegistry;
    readonly stops: Array<() => unknown>;
  },
): void {
  const { child, housekeeper, workers = true, workerGraceMs: graceMs } = options;
  const { container, events, metrics, stops } = parts;
  if (workers === false) return;
  const all = [
    { plugin: 'core', worker: housekeeper },
    ...plugins.flatMap(({ id, workers: own }) => own.map((worker) => ({ plugin: id, worker }))),
  ];
  let here: readonly PluginWorker[] = all;
  if (workers === 'apart') {
    here = all.filter(({ worker }) => worker.apart);
    // A child process comes and goes with the work of its service.
    if (!process.connected) here = [...here, { plugin: 'core', worker: workerPresence }];
  } else if (isElsewhere(options, config)) here = all.filter(({ worker }) => !worker.apart);
  else if (child) here = all.map((own) => besideChild(own, child));
  const countFailed = metrics.ownedBy('core').counter({
    name: 'service_mcp_worker_failures_total',
    help: 'Rounds of workers that failed, by worker',
    labels: ['worker'],
  });
  const stopWorkers = startWorkers(here, { ...parts, countFailed, graceMs });
  stops.push(() => Promise.all([stopWorkers(), child?.stop()]));
  if (workers === 'apart') stops.push(followParent(events, metrics, () => haveWork(here, container)));
}

/** Work of this process is announced here; for that of others and for what comes due, this is how late it may be seen. */
const MAX_IDLE_MS = 4_000;

/**
 * The part of the service in the work of a child process: starts it when there is work, and wakes it. While there is
 * none it asks ever more rarely.
 */
function besideChild({ plugin, worker }: PluginWorker, child: WorkerProcess): PluginWorker {
  const { apart, wakeOn } = worker;
  if (!apart) return { plugin, worker };
  const work = apart as Apart<unknown>; // erasure: typed together with `uses`
  let idleRounds = 0;
  const everyMs = (deps: unknown) => {
    const pauseMs = pauseOf(worker, deps);
    return Math.max(pauseMs, Math.min(pauseMs * 2 ** (idleRounds - 1), MAX_IDLE_MS));
  };
  const run = async (deps: unknown, signal: AbortSignal) => {
    let isIdle = false;
    if (child.isReady) child.wake(wakeOn);
    else {
      await work.runSmall?.(deps, signal);
      isIdle = !(await work.hasWork(deps));
      if (!isIdle) child.start();
    }
    idleRounds = isIdle ? idleRounds + 1 : 0;
    return { more: false };
  };
  return { plugin, worker: { ...worker, exclusive: false, everyMs, run } };
}

async function haveWork(workers: readonly PluginWorker[], container: Container): Promise<boolean> {
  for (const { plugin, worker } of workers) {
    const deps = container.resolve(worker.uses, plugin);
    if (await worker.apart?.hasWork(deps as never)) return true; // erasure, as above
  }
  return false;
}
