import type { Context } from 'koa';
import { ServiceError } from '../errors.js';

/** How often deadlines are looked at; a call may outlive its own by so much. */
const SWEEP_MS = 50;

interface Flight {
  readonly deadline: number;
  aborted: ServiceError | undefined;
  controller: AbortController | undefined;
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
  begin(ctx: Context): { readonly deadline: number; signal(): AbortSignal } {
    const flight: Flight = {
      deadline: Date.now() + this.#timeoutMs,
      aborted: undefined,
      controller: undefined,
    };
    this.#flights.add(flight);
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    ctx.res.once('close', () => {
      this.#flights.delete(flight);
      if (!ctx.res.writableFinished)
        abort(flight, new ServiceError('DEADLINE_EXCEEDED', 'The client went away before the answer.'));
    });
    return {
      deadline: flight.deadline,
      signal() {
        flight.controller ??= new AbortController();
        if (flight.aborted) flight.controller.abort(flight.aborted);
        return flight.controller.signal;
      },
    };
  }

  /** Aborts every call: the service stops. */
  stop(): void {
    clearInterval(this.#sweeper);
    for (const flight of this.#flights)
      abort(flight, new ServiceError('UNAVAILABLE', 'The service is stopping. Try again in a moment.'));
  }

  #sweep(): void {
    const now = Date.now();
    for (const flight of this.#flights) {
      if (flight.deadline <= now) {
        abort(
          flight,
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

function abort(flight: Flight, reason: ServiceError): void {
  if (flight.aborted) return;
  flight.aborted = reason;
  flight.controller?.abort(reason);
}
