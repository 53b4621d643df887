import { token, type CatalogChange, type Log } from '@service-mcp/core';

/** Interval of health checks: of an available service, and the first and longest one of an unavailable service. */
const PROBE_INTERVAL_MS = 10_000;
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** How long the result of a check is cached. */
const STATE_TTL_MS = 500;

const EVERYTHING: readonly CatalogChange[] = [{ kind: 'tools' }, { kind: 'resources' }, { kind: 'prompts' }];

interface Settings {
  readonly base: string;
  readonly log: Log;
  /** Checks whether the service is available; never throws. */
  readonly probe: () => Promise<boolean>;
  /** Called when the state changes, and at stop. */
  readonly onState: (up: boolean) => void;
}

/** Tracks the availability of the service by calls and health checks; notifies listeners after an outage. */
export class Monitor {
  readonly #settings: Settings;
  readonly #listeners = new Set<(change: CatalogChange) => void>();
  #up: boolean | undefined;
  #wasDown = false;
  #checkedAt = 0;
  #failures = 0;
  #probing: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires, on the monotonic clock. */
  #dueAt = Infinity;
  #stopped = false;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#schedule(0);
  }

  /** Undefined until the first check. */
  get up(): boolean | undefined {
    return this.#up;
  }

  /** Checks now, or returns a fresh cached result. */
  check(): Promise<boolean> {
    if (this.#up !== undefined && Date.now() - this.#checkedAt < STATE_TTL_MS)
      return Promise.resolve(this.#up);
    return this.#probe();
  }

  /** Reports a call. No response means unavailable; a response schedules a check, since a proxy may have sent it. */
  report(responded: boolean): void {
    if (responded === this.#up || this.#stopped) return;
    if (responded) this.#schedule(MIN_RETRY_MS, { atLatest: true });
    else this.#update(false);
  }

  /** Notifies listeners that a list may have changed. */
  notify(change: CatalogChange): void {
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

  #update(up: boolean): boolean {
    if (this.#stopped) return up;
    const { base, log, onState } = this.#settings;
    this.#checkedAt = Date.now();
    this.#failures = up ? 0 : this.#failures + 1;
    this.#schedule(up ? PROBE_INTERVAL_MS : backOff(this.#failures));
    if (up === this.#up) return up;
    this.#up = up;
    if (up && this.#wasDown) log.warn({ upstream: base }, 'the service is available again');
    else if (up) log.info({ upstream: base }, 'the service is available');
    else
      log.warn(
        { upstream: base },
        'the service is unavailable; calls fail with UNAVAILABLE until it is back',
      );
    onState(up);
    if (up && this.#wasDown) EVERYTHING.forEach((change) => this.notify(change));
    this.#wasDown = !up;
    return up;
  }

  #probe(): Promise<boolean> {
    this.#probing ??= this.#settings
      .probe()
      .then((up) => this.#update(up))
      .finally(() => (this.#probing = undefined));
    return this.#probing;
  }

  /** `atLatest`: keeps an earlier check, so that many calls do not postpone it. */
  #schedule(ms: number, { atLatest = false } = {}): void {
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

/** Exponential back-off with jitter. */
function backOff(failures: number): number {
  return Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}
