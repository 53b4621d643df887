import { token, type CatalogChange, type Log } from '@service-mcp/core';

/** How often a service that is up is looked at, and one that is away: at first, and at most. */
const UP_MS = 10_000;
const FIRST_MS = 500;
const MOST_MS = 10_000;
/** What was seen so lately is believed. */
const FRESH_MS = 500;

const EVERYTHING: readonly CatalogChange[] = [{ kind: 'tools' }, { kind: 'resources' }, { kind: 'prompts' }];

interface Settings {
  readonly base: string;
  readonly log: Log;
  /** Looks whether the service is there; never throws. */
  readonly probe: () => Promise<boolean>;
  /** Told when it has come or is gone, and at stop. */
  readonly onState: (up: boolean) => void;
}

/** Knows whether the service is there, by calls that fail and by looking; tells when it is back after a time away. */
export class Monitor {
  readonly #settings: Settings;
  readonly #listeners = new Set<(change: CatalogChange) => void>();
  #up: boolean | undefined;
  #wasAway = false;
  #seenAt = 0;
  #failures = 0;
  #looking: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer is up, by the clock that never goes back. */
  #dueAt = Infinity;
  #stopped = false;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#lookIn(0);
  }

  /** Undefined until it was looked at once. */
  get up(): boolean | undefined {
    return this.#up;
  }

  /** Looks now, unless that was done a moment ago. */
  look(): Promise<boolean> {
    if (this.#up !== undefined && Date.now() - this.#seenAt < FRESH_MS) return Promise.resolve(this.#up);
    return this.#probe();
  }

  /** News of a call: a service that does not answer is away; one that does is looked at, since a proxy may answer too. */
  note(answered: boolean): void {
    if (answered === this.#up || this.#stopped) return;
    if (answered) this.#lookIn(FIRST_MS, { atLatest: true });
    else this.#see(false);
  }

  /** Tells whoever listens that a list may have changed. */
  tell(change: CatalogChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  onChanged(listener: (change: CatalogChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#settings.onState(false);
  }

  #see(up: boolean): boolean {
    if (this.#stopped) return up;
    const { base, log, onState } = this.#settings;
    this.#seenAt = Date.now();
    this.#failures = up ? 0 : this.#failures + 1;
    this.#lookIn(up ? UP_MS : backOff(this.#failures));
    if (up === this.#up) return up;
    this.#up = up;
    if (up && this.#wasAway) log.warn({ upstream: base }, 'the service answers again');
    else if (up) log.info({ upstream: base }, 'the service answers');
    else log.warn({ upstream: base }, 'the service is away; calls answer UNAVAILABLE until it is back');
    onState(up);
    if (up && this.#wasAway) EVERYTHING.forEach((change) => this.tell(change));
    this.#wasAway = !up;
    return up;
  }

  #probe(): Promise<boolean> {
    this.#looking ??= this.#settings
      .probe()
      .then((up) => this.#see(up))
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** `atLatest`: leaves a look that comes sooner, since many calls would put it off again and again. */
  #lookIn(ms: number, { atLatest = false } = {}): void {
    const dueAt = performance.now() + ms;
    if (this.#stopped || (atLatest && this.#dueAt <= dueAt)) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#dueAt = Infinity;
      void this.#probe();
    }, ms).unref();
  }
}
export const ServiceMonitor = token<Monitor>('upstream.ServiceMonitor');

/** Doubles with each failure, and is spread so that gateways do not come all at once. */
function backOff(failures: number): number {
  return Math.min(MOST_MS, FIRST_MS * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}
