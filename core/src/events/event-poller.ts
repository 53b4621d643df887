import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../errors.js';
import type { ChangeEvent } from '../change-events.js';
import type { Log } from '../log.js';
import { isAfter, type EventLog } from './event-log.js';

/** How often the database is looked at for events of other processes. */
const POLL_MS = 1000;
/** Events are gathered for so long after one is announced, so that a burst is one look. */
const GATHER_MS = 20;
const BATCH = 500;
/** How many events are held for readers; one that falls behind further is too slow. */
const RING = 4096;

/** What a reader of the feed gets: like {@link StreamedEvent}, of all tenants, with positions of the log. */
export type FeedItem =
  | { readonly kind: 'opened' | 'reset'; readonly id: string }
  | { readonly kind: 'event'; readonly event: ChangeEvent };

/** Looks for change events from its making until its end, and holds the newest for its readers. */
export class EventPoller {
  readonly #events: EventLog;
  readonly #log: Log;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  /** The newest events, of which the first has the number `#first`. */
  #ring: ChangeEvent[] = [];
  #first = 0;
  /** The place up to which the ring was filled; undefined until the database has answered once. */
  #place: string | undefined;
  #announced = false;
  #wake: () => void = () => undefined;
  #waiting = new Set<() => void>();

  constructor(events: EventLog, log: Log) {
    this.#events = events;
    this.#log = log;
    this.#running = this.#run();
  }

  /** See {@link EventFeed.read}. */
  async *read(after: string | undefined, signal: AbortSignal): AsyncGenerator<FeedItem> {
    while (this.#place === undefined) {
      if (signal.aborted) return;
      if (this.#ending.signal.aborted) throw serviceStops();
      await this.#more(signal);
    }
    let next = this.#end;
    let place = this.#place;
    if (after === undefined) yield { kind: 'opened', id: place };
    else if (await this.#events.keeps(after)) {
      yield { kind: 'opened', id: after };
      place = after;
      do {
        next = this.#end;
        place = yield* this.#replay(place, this.#place, signal);
      } while (next < this.#first && !signal.aborted); // while it replayed, the ring went on without it
    } else yield { kind: 'reset', id: place };
    // Another process may have sent the reader events that this one has not seen yet: send none twice or out of order.
    let known = after === undefined ? undefined : place;
    while (!signal.aborted) {
      if (this.#ending.signal.aborted) throw serviceStops();
      if (next < this.#first) throw tooSlow();
      const event = this.#ring[next - this.#first];
      if (event) {
        next += 1;
        if (known !== undefined && !isAfter(event.id, known)) continue;
        known = undefined;
        yield { kind: 'event', event };
      } else {
        await this.#more(signal);
      }
    }
  }

  async end(): Promise<void> {
    this.#ending.abort();
    this.#wake();
    this.#tell();
    await this.#running;
  }

  get #end(): number {
    return this.#first + this.#ring.length;
  }

  /** Events from the database, from one place to another; returns the place of the last. */
  async *#replay(from: string, to: string, signal: AbortSignal): AsyncGenerator<FeedItem, string> {
    let place = from;
    while (!signal.aborted) {
      const batch = await this.#events.since(place, BATCH);
      for (const event of batch) {
        if (isAfter(event.id, to)) return place;
        place = event.id;
        yield { kind: 'event', event };
      }
      if (batch.length < BATCH) break;
    }
    return place;
  }

  async #run(): Promise<void> {
    const unlisten = this.#events.onAny(() => {
      this.#announced = true;
      this.#wake();
    });
    while (!this.#ending.signal.aborted) {
      try {
        await this.#look();
      } catch (err) {
        this.#log.warn({ err }, 'change events cannot be read; tried again in a moment');
      }
      await this.#pause();
    }
    unlisten();
  }

  async #look(): Promise<void> {
    this.#announced = false;
    if (this.#place === undefined) {
      this.#place = await this.#events.newest();
      this.#tell();
      return;
    }
    for (let more = true; more;) {
      const batch = await this.#events.since(this.#place, BATCH);
      more = batch.length === BATCH;
      if (batch.length === 0) return;
      this.#place = batch.at(-1)?.id ?? this.#place;
      this.#ring.push(...batch);
      const over = Math.max(0, this.#ring.length - RING);
      this.#ring.splice(0, over);
      this.#first += over;
      this.#tell();
      await nextTurn(); // readers that can take it have it before the ring turns on
    }
  }

  /** Until something is announced here, or time is up. */
  async #pause(): Promise<void> {
    const { signal } = this.#ending;
    if (!this.#announced && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS).unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (this.#announced && !signal.aborted) await sleep(GATHER_MS);
  }

  #tell(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const go of waiting) go();
  }

  /** Until there is more, or the signal aborts. */
  async #more(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#ending.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        signal.removeEventListener('abort', go);
        this.#waiting.delete(go);
        resolve();
      };
      this.#waiting.add(go);
      signal.addEventListener('abort', go, { once: true });
    });
  }
}

function tooSlow(): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    'Events come faster than you read them. Connect again with the id of the last event that you have.',
  );
}

export function serviceStops(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The service is stopping. Connect again in a moment.');
}
