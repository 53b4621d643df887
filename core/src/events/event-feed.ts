import type { Log } from '../log.js';
import type { EventLog } from './event-log.js';
import { EventPoller, serviceStops, type FeedItem } from './event-poller.js';

/**
 * The change events of the deployment, as they happen, for any number of readers: one look at the database serves them
 * all, and a reader holds no more than its place. It looks only while somebody reads.
 */
export class EventFeed {
  readonly #events: EventLog;
  readonly #log: Log;
  #poller: EventPoller | undefined;
  #readers = 0;
  #stopped = false;

  constructor(events: EventLog, log: Log) {
    this.#events = events;
    this.#log = log;
  }

  /**
   * Every event after the one with the id `after`, or from now on, until the signal aborts: then it ends. Throws
   * UNAVAILABLE for a reader that is too slow, and when the service stops.
   */
  async *read(after: string | undefined, signal: AbortSignal): AsyncGenerator<FeedItem> {
    if (this.#stopped) throw serviceStops();
    const poller = (this.#poller ??= new EventPoller(this.#events, this.#log));
    this.#readers += 1;
    try {
      yield* poller.read(after, signal);
    } finally {
      this.#readers -= 1;
      if (this.#readers === 0) {
        this.#poller = undefined;
        await poller.end();
      }
    }
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Stops looking; readers end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#poller?.end();
  }
}
