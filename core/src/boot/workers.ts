import { setMaxListeners } from 'node:events';
import type { PluginWork } from '../call/plugin-work.js';
import type { Worker } from '../plugin.js';
import type { Events } from '../change-events.js';
import type { Log } from '../log.js';
import type { Container } from '../call/container.js';
import type { Lease, Leases } from '../services.js';
import { isOutage } from '../storage/outages.js';
import { isRecord } from '../wire/rpc.js';
import { within } from '../within.js';

const GRACE_MS = 4_000;
const INITIAL_BACK_OFF_MS = 500;
const MAX_BACK_OFF_MS = 30_000;
/** While the database is away: asking it costs little, and the queues go on soon after its return. */
const MAX_OUTAGE_BACK_OFF_MS = 5_000;
/** The longest time of a timer: it takes a longer one for 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface WorkerHost {
  readonly container: Container;
  readonly leases: Leases;
  readonly events: Events;
  readonly log: Log;
  readonly work: PluginWork;
  /** Counts rounds that failed. */
  readonly countFailed: (by: number, labels: { readonly worker: string }) => void;
  /** How long the stop waits for rounds under way; default 4 s. */
  readonly graceMs?: number | undefined;
}

/** A worker and the id of the plugin that it comes from. */
export interface PluginWorker {
  readonly plugin: string;
  readonly worker: Worker;
}

/** Starts every worker; the returned function stops them after their current round, or leaves them after the grace time. */
export function startWorkers(workers: readonly PluginWorker[], host: WorkerHost): () => Promise<void> {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // each worker listens: Node would warn of a leak
  const left = new Set<string>();
  const loops = workers.map(async (own) => {
    left.add(own.worker.id);
    await runLoop(own, host, stopping.signal);
    left.delete(own.worker.id);
  });
  return async () => {
    stopping.abort();
    if (!(await within(host.graceMs ?? GRACE_MS, Promise.all(loops))))
      host.log.warn(
        { workers: [...left] },
        'these workers did not end in time; the stop goes on without them',
      );
  };
}

async function runLoop(
  { plugin, worker }: PluginWorker,
  host: WorkerHost,
  stopping: AbortSignal,
): Promise<void> {
  const { container, leases, events } = host;
  const log = host.log.child({ plugin, worker: worker.id });
  const deps = container.resolve(worker.uses, plugin);
  const work = { name: `plugin ${plugin}, worker ${worker.id}`, active: 0 };
  let lease: Lease | undefined;
  let backOffMs = INITIAL_BACK_OFF_MS;
  while (!stopping.aborted) {
    // Listen before the round, so that what is announced during it is not slept through.
    const bell = ring(events, worker.wakeOn, stopping);
    let waitMs: number;
    let more = false;
    try {
      if (worker.exclusive && !(await lease?.holds())) {
        await lease?.release();
        lease = await leases.take(`worker:${worker.id}`);
      }
      if (!worker.exclusive || lease) {
        const run = worker.run as (deps: unknown, signal: AbortSignal) => Promise<unknown>; // erasure: `uses` and `run` were typed together
        host.work.begin(work);
        more = moreOf(await run(deps, stopping).finally(() => host.work.end(work)));
      }
      waitMs = more ? 0 : pauseOf(worker, deps);
      backOffMs = INITIAL_BACK_OFF_MS;
    } catch (error) {
      waitMs = Math.min(backOffMs, isOutage(error) ? MAX_OUTAGE_BACK_OFF_MS : MAX_BACK_OFF_MS);
      backOffMs = waitMs * 2;
      if (!stopping.aborted) {
        log.error({ err: error, retry_in_ms: waitMs }, 'a round of the worker failed');
        host.countFailed(1, { worker: worker.id });
      }
      bell.mute();
    }
    await bell.wait(waitMs);
  }
  await lease?.release();
}

/** Whether more work waits, by what a round returned, also one of a plugin that no compiler checked. */
function moreOf(round: unknown): boolean {
  const more = isRecord(round) ? round['more'] : undefined;
  if (typeof more !== 'boolean') throw new TypeError('run did not return { more: true } or { more: false }');
  return more;
}

/** How long a worker waits after a round, unless an event wakes it. `deps`: of its `uses`. */
export function pauseOf({ everyMs }: Worker, deps: unknown): number {
  const ms = typeof everyMs === 'number' ? everyMs : (everyMs as (deps: unknown) => number)(deps); // erasure, as above
  if (!(ms > 0)) throw new TypeError(`everyMs returned ${String(ms)}, which is not above 0`);
  return ms;
}

/** A wait that ends after its time, at an announced event, or at the stop. */
function ring(events: Events, types: readonly string[], stopping: AbortSignal) {
  let rung = false;
  let muted = false;
  let wake: () => void = () => undefined;
  const onEvent = () => {
    rung = true;
    if (!muted) wake();
  };
  const unlisten = events.listen(types, onEvent);
  return {
    /** After a failure: wait the whole back-off, whatever is announced. */
    mute() {
      muted = true;
    },
    async wait(ms: number): Promise<void> {
      if (ms > 0 && (!rung || muted) && !stopping.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS));
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
          stopping.addEventListener('abort', wake, { once: true });
        });
        stopping.removeEventListener('abort', wake);
      } else if (!stopping.aborted) {
        await new Promise((resolve) => setImmediate(resolve)); // let calls in between two rounds
      }
      unlisten();
    },
  };
}
