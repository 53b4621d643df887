import { setPriority } from 'node:os';
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import type { Events } from '../change-events.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { HealthCheck } from '../services.js';
import { within } from '../within.js';
import type { CountedGain, MetricsRegistry } from './metrics-registry.js';

const INITIAL_BACK_OFF_MS = 500;
const MAX_BACK_OFF_MS = 30_000;
/** After so long without a crash, or a wait for the next start, a crash counts as the first. */
const STABLE_MS = 60_000;
/** Below other work of the machine, but not so far that a busy one starves it: a quarter of an equal share. */
const PRIORITY = 5;
/** How long the process has to end its rounds, of 4 s at most, before it is killed. */
const END_TIMEOUT_MS = 7_000;

/**
 * Makes native parts give memory back: fewer arenas of glibc (an ingest of 100 MB peaks a fifth lower), and blocks from
 * 128 KiB on that are returned when they are freed, where glibc by itself comes to keep those of up to 32 MiB.
 */
const NATIVE_MEMORY = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;

/** What the child process tells; see {@link followParent}. */
export type WorkerReport =
  | { readonly kind: 'state'; readonly busy: boolean; readonly memory: number }
  /** Types of change events that were recorded there. */
  | { readonly kind: 'events'; readonly types: readonly string[] }
  | { readonly kind: 'gain'; readonly gain: CountedGain };

/** What it is told: types of events that happened in the service. */
export interface WorkerOrder {
  readonly wake: readonly string[];
}

/**
 * The start of a process that runs the workers of a deployment which run apart, with an IPC channel, and with these
 * variables where they are not set.
 */
export type SpawnWorker = (env: Readonly<Record<string, string>>) => ChildProcess;

interface Parts {
  readonly spawn: SpawnWorker;
  readonly idleMs: number;
  readonly events: Pick<Events, 'wake'>;
  readonly metrics: Pick<MetricsRegistry, 'add'>;
  readonly log: Log;
}

interface Running {
  readonly child: ChildProcess;
  readonly exited: Promise<readonly unknown[]>;
  isReady: boolean;
  busyAt: number;
  memory: number;
}

/**
 * Supervises the child process of a service: one at most, started on demand at lower priority, ended when idle, and after
 * a crash started again with back-off. It ends by itself when this process dies.
 */
export class WorkerProcess implements HealthCheck {
  readonly name = 'background work';
  readonly #parts: Parts;
  #running: Running | undefined;
  #stopped = false;
  #crashes = 0;
  #lastCrash: { readonly reason: string; readonly at: number } | undefined;
  #backOffMs = INITIAL_BACK_OFF_MS;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** True while it takes orders. */
  get isReady(): boolean {
    return this.#running?.isReady === true;
  }

  /** Starts it, unless it runs, crashed a moment ago, or the service stops. */
  start(): void {
    const { log, spawn } = this.#parts;
    const isTooSoon =
      this.#lastCrash !== undefined && performance.now() - this.#lastCrash.at < this.#backOffMs;
    if (this.#running || this.#stopped || isTooSoon) return;
    const child = spawn(NATIVE_MEMORY);
    const exited = once(child, 'exit').catch((error: unknown): unknown[] => [error]);
    const now = performance.now();
    const running: Running = { child, exited, isReady: false, busyAt: now, memory: 0 };
    this.#running = running;
    lowerPriority(child);
    child.on('message', (report: WorkerReport) => this.#onReport(running, report));
    void exited.then((outcome) => this.#onExit(running, outcome));
    log.info({ pid: child.pid }, 'the process of the background work starts');
  }

  /** Ends the waits of its workers. */
  wake(types: readonly string[]): void {
    if (!this.#running?.isReady) return;
    const order: WorkerOrder = { wake: types };
    this.#running.child.send(order, () => undefined); // it ends just now: its exit says so
  }

  /** Ends it and waits, and starts no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#end();
  }

  async check(): ReturnType<HealthCheck['check']> {
    const pid = this.#running?.child.pid;
    const state = pid === undefined ? 'no process runs' : `runs in process ${String(pid)}`;
    const crash = this.#lastCrash;
    if (!crash) return { status: 'ok', message: pid === undefined ? `nothing to do, ${state}` : state };
    const message = `${state}; the process ended by itself ${String(this.#crashes)} times, last: ${crash.reason}`;
    if (performance.now() - crash.at >= STABLE_MS) return { status: 'ok', message };
    return { status: 'degraded', message, remedy: 'read the log of the service' };
  }

  registerMetrics(metrics: Metrics): void {
    metrics.gauge({
      name: 'service_mcp_worker_running',
      help: 'Whether the process of the background work runs',
      read: (set) => set(this.#running ? 1 : 0),
    });
    metrics.gauge({
      name: 'service_mcp_worker_memory_bytes',
      help: 'Resident memory of the process of the background work; 0 while there is none',
      read: (set) => set(this.#running?.memory ?? 0),
    });
    metrics.gauge({
      name: 'service_mcp_worker_crashes',
      help: 'How often the process of the background work ended by itself since the service started',
      read: (set) => set(this.#crashes),
    });
  }

  #onReport(running: Running, report: WorkerReport): void {
    if (report.kind === 'events') return this.#parts.events.wake(...report.types);
    if (report.kind === 'gain') return this.#parts.metrics.add(report.gain);
    const now = performance.now();
    if (!running.isReady || report.busy) running.busyAt = now;
    running.isReady = true;
    running.memory = report.memory;
    if (now - running.busyAt >= this.#parts.idleMs) void this.#end();
  }

  #onExit(running: Running, [code, signal]: readonly unknown[]): void {
    const { log } = this.#parts;
    const isExpected = this.#running !== running;
    if (isExpected) return;
    this.#running = undefined;
    const now = performance.now();
    const last = this.#lastCrash;
    const isFirst = !last || now - last.at - this.#backOffMs >= STABLE_MS;
    this.#backOffMs = isFirst ? INITIAL_BACK_OFF_MS : Math.min(this.#backOffMs * 2, MAX_BACK_OFF_MS);
    this.#crashes += 1;
    const reason = code instanceof Error ? code.message : `exit ${String(signal ?? code)}`;
    this.#lastCrash = { reason, at: now };
    log.error(
      { reason, pid: running.child.pid, retry_in_ms: this.#backOffMs },
      'the process of the background work ended by itself',
    );
  }

  /** Ends the process after its rounds; another can be started at once. */
  async #end(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    const { child, exited } = running;
    if (child.connected) child.disconnect(); // it stops as when this process had died
    if (await within(END_TIMEOUT_MS, exited)) return;
    this.#parts.log.warn(
      { pid: child.pid },
      'the process of the background work did not end in time; it is killed',
    );
    child.kill('SIGKILL');
    await exited;
  }
}

/** At once, so that the threads which it starts inherit it. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, PRIORITY);
  } catch {
    // it has ended, or the system does not allow it
  }
}
