import type { Context } from 'koa';
import { LazyAbort } from '../abort.js';
import { ServiceError } from '../errors.js';

/** How often deadlines are looked at; a call may outlive its own by so much. */
const SWEEP_MS = 50;

/** One call under way, given up by its abort. */
export interface Flight {
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly abort: LazyAbort;
}

/**
 * The calls under way, each to be aborted when its time is up, its client goes away or the service stops.
 * One timer serves them all, and a signal is made only for a call that asks for it: most calls end long
 * before anybody would (an AbortController, its listener and a timer a call cost more than a trivial call).
 */
export class InFlight {
  readonly #flights = new Set<Flight>();
  readonly #timeoutMs: number;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Registers the call of a request until its response is closed. */
  begin({ res }: Context): Flight {
    const flight: Flight = { deadline: Date.now() + this.#timeoutMs, abort: new LazyAbort() };
    this.#flights.add(flight);
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    res.once('close', () => {
      this.#flights.delete(flight);
      if (!res.writableFinished) {
        flight.abort.abort(new ServiceError('DEADLINE_EXCEEDED', 'The client went away before the answer.'));
      }
    });
    return flight;
  }

  /** Aborts every call: the service stops. */
  stop(): void {
    clearInterval(this.#sweeper);
    for (const { abort } of this.#flights)
      abort.abort(new ServiceError('UNAVAILABLE', 'The service is stopping. Try again in a moment.'));
  }

  #sweep(): void {
    const now = Date.now();
    for (const { deadline, abort } of this.#flights) {
      if (deadline <= now) {
        abort.abort(
          new ServiceError(
            'DEADLINE_EXCEEDED',
            `The call took longer than ${this.#timeoutMs / 1000} s and was given up. Ask for less, or try again later.`,
          ),
        );
      }
    }
    if (this.#flights.size === 0) {
      clearInterval(this.#sweeper);
      this.#sweeper = undefined;
    }
  }
}
