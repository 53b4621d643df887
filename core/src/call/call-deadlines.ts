import { LazyAbort } from '../abort.js';
import { ServiceError } from '../errors.js';

/** How often deadlines are checked; a call may outlive its own by so much. */
const SWEEP_MS = 50;

/** Starts to watch the client of a call; aborts the call when the client goes away. May return how to stop. */
export type WatchClient = (deadline: Deadline) => (() => void) | void;

/**
 * The calls in progress, each aborted when its time is up or the service stops. One timer serves them all, and a call
 * gets a signal and a watch on its client only when something asks for its signal: they cost more than a trivial call.
 */
export class CallDeadlines {
  readonly #running = new Set<Deadline>();
  readonly #timeoutMs: number;
  #sweeper: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Starts the time of a call; an endless one has no limit. Throws UNAVAILABLE once all calls were stopped. */
  begin(watch: WatchClient, endless = false): Deadline {
    if (this.#stopped) throw stopping();
    const at = endless ? Infinity : Date.now() + this.#timeoutMs;
    const deadline = new Deadline(at, this.#timeoutMs, watch, this.#running);
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    return deadline;
  }

  /** Aborts every call, or those without a limit alone: the service stops. */
  stop({ endless = false } = {}): void {
    const reason = stopping();
    for (const deadline of this.#running) if (!endless || deadline.endless) deadline.abort(reason);
    if (endless) return;
    this.#stopped = true;
    clearInterval(this.#sweeper);
  }

  #sweep(): void {
    const now = Date.now();
    for (const deadline of this.#running) {
      if (deadline.at > now) continue;
      deadline.abort(
        new ServiceError(
          'DEADLINE_EXCEEDED',
          `The call took longer than ${this.#timeoutMs / 1000} s and was stopped. Ask for less, or try again later.`,
        ),
      );
      deadline.finish();
    }
    if (this.#running.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

const stopping = () => new ServiceError('UNAVAILABLE', 'The service is stopping. Try again in a moment.');

/** The time of one call. */
export class Deadline extends LazyAbort {
  /** Milliseconds since the epoch. */
  at: number;
  readonly #timeoutMs: number;
  readonly #watch: WatchClient;
  readonly #running: Set<Deadline>;
  #unwatch: (() => void) | undefined;
  #watched = false;

  constructor(at: number, timeoutMs: number, watch: WatchClient, running: Set<Deadline>) {
    super();
    this.at = at;
    this.#timeoutMs = timeoutMs;
    this.#watch = watch;
    this.#running = running;
    running.add(this);
  }

  /** True once something has asked for the signal, and may wait for it. */
  get watched(): boolean {
    return this.#watched;
  }

  override get signal(): AbortSignal {
    if (!this.#watched) {
      this.#watched = true;
      this.#unwatch = this.#watch(this) ?? undefined;
    }
    return super.signal;
  }

  get endless(): boolean {
    return this.at === Infinity;
  }

  /** Gives the call so many milliseconds from now; one without a limit stays so. */
  extend(ms: number): void {
    if (!this.endless) this.at = Date.now() + ms;
  }

  /** Gives the call all of its time again, from now. */
  restart(): void {
    this.extend(this.#timeoutMs);
  }

  /** The call has ended: nothing limits it any more. */
  finish(): void {
    this.#running.delete(this);
    this.#unwatch?.();
  }

  clientGone(): void {
    this.abort(new ServiceError('DEADLINE_EXCEEDED', 'The client went away before the answer.'));
  }
}
