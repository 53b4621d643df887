import type { ServerResponse } from 'node:http';
import { LazyAbort } from '../abort.js';
import { ServiceError } from '../errors.js';

/** How often deadlines are looked at; a call may outlive its own by so much. */
const SWEEP_MS = 50;

/**
 * The calls under way, each to be aborted when its time is up, its client goes away or the service stops.
 * One timer serves them all, and signal and listener are made only for a call that asks for its signal: most calls
 * end long before anybody would, and making them costs more than a trivial call.
 */
export class InFlight {
  readonly #flights = new Set<Flight>();
  readonly #timeoutMs: number;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Registers the call that a response answers. An endless one has no deadline. */
  begin(res: ServerResponse, endless = false): Flight {
    const deadline = endless ? Number.MAX_SAFE_INTEGER : Date.now() + this.#timeoutMs;
    const flight = new Flight(deadline, res, { endless, forget: () => this.#flights.delete(flight) });
    this.#flights.add(flight);
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    return flight;
  }

  /** Aborts every call: the service stops. */
  stop(): void {
    clearInterval(this.#sweeper);
    for (const flight of this.#flights)
      flight.abort(new ServiceError('UNAVAILABLE', 'The service is stopping. Try again in a moment.'));
  }

  #sweep(): void {
    const now = Date.now();
    for (const flight of this.#flights) {
      if (flight.deadline <= now) {
        flight.abort(
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

/** One call under way. */
export class Flight extends LazyAbort {
  /** Milliseconds since the epoch. */
  deadline: number;
  readonly #res: ServerResponse;
  readonly #endless: boolean;
  readonly #forget: () => void;
  #watched = false;

  constructor(
    deadline: number,
    res: ServerResponse,
    { endless, forget }: { readonly endless: boolean; readonly forget: () => void },
  ) {
    super();
    this.deadline = deadline;
    this.#res = res;
    this.#endless = endless;
    this.#forget = forget;
  }

  /** From here on somebody may wait for it, so it lasts until the response is closed. */
  override get signal(): AbortSignal {
    if (!this.#watched) {
      this.#watched = true;
      if (this.#res.closed) this.#closed();
      else this.#res.once('close', () => this.#closed());
    }
    return super.signal;
  }

  /** Gives the call so many milliseconds from now. */
  prolong(ms: number): void {
    this.deadline = Date.now() + ms;
  }

  /** The handlers are done; a call whose signal nobody asked for ends here. */
  land(): void {
    if (!this.#watched) this.#forget();
  }

  #closed(): void {
    this.#forget();
    // A stream may be ended while what feeds it still waits for more, which then has nobody to send it to.
    if (this.#endless || !this.#res.writableFinished) {
      this.abort(new ServiceError('DEADLINE_EXCEEDED', 'The client went away before the answer.'));
    }
  }
}
