import { performance } from 'node:perf_hooks';
import type { Metrics } from '../metrics.js';
import type { HostLog } from '../boot/log.js';

/** How often the event loop is looked at, and the delay from which it counts as blocked. */
const LOOK_MS = 500;
const BLOCKED_MS = 1_000;

/** A handler or worker of a plugin, and how many of it run now. */
export interface Work {
  /** `plugin bookmarks, tool bookmarks_delete` */
  readonly name: string;
  active: number;
}

/**
 * Knows what plugins run, for what no caller is told: a promise that is rejected with nobody to catch it, and an event
 * loop that is blocked. Asynchronous contexts would tell more, but on Node 20 and 22 they cost every promise of the
 * process: 5 to 10 % of a REST call.
 */
export class PluginWork {
  readonly #log: HostLog;
  readonly #folders: ReadonlyMap<string, string>;
  readonly #count: (by?: number, labels?: { plugin: string }) => void;
  /** Work that ran since the event loop was last measured. */
  readonly #recent = new Set<Work>();

  /** `folders`: URL prefixes of the files of each plugin, by its id. */
  constructor(log: HostLog, metrics: Metrics, folders: ReadonlyMap<string, string>) {
    this.#log = log;
    this.#folders = folders;
    this.#count = metrics.counter({
      name: 'service_mcp_unhandled_rejections_total',
      help: 'Promises that were rejected with nobody to catch it, by the plugin that the stack names',
      labels: ['plugin'],
    });
  }

  begin(work: Work): void {
    work.active += 1;
    this.#recent.add(work);
  }

  end(work: Work): void {
    work.active -= 1;
  }

  /**
   * Logs unhandled rejections, in place of the end of the process, and warns of a blocked event loop. An exception that
   * nothing catches is logged as well, and ends the process, unless its program listens for such exceptions itself.
   */
  watch(): () => void {
    const onRejection = (reason: unknown): void => this.#report(reason);
    process.on('unhandledRejection', onRejection);
    const onException = (thrown: unknown): void => {
      this.#reportEnd(thrown);
      // Node would print the trace after that line. A silent log has nothing else to show.
      const isLogged = this.#log.isLevelEnabled('fatal');
      if (isLogged && process.listenerCount('uncaughtException') === 0) process.exit(1);
    };
    process.on('uncaughtExceptionMonitor', onException);
    let lookedAt = performance.now();
    const timer = setInterval(() => {
      const blocked_ms = Math.round(performance.now() - lookedAt - LOOK_MS);
      if (blocked_ms >= BLOCKED_MS)
        this.#log.warn({ blocked_ms, ran: this.#names() }, 'the event loop was blocked, by one of what ran');
      for (const work of this.#recent) if (work.active === 0) this.#recent.delete(work);
      lookedAt = performance.now();
    }, LOOK_MS).unref();
    return () => {
      clearInterval(timer);
      process.off('unhandledRejection', onRejection);
      process.off('uncaughtExceptionMonitor', onException);
    };
  }

  #report(err: unknown): void {
    const fields = this.#blame(err);
    this.#count(1, { plugin: fields.plugin ?? 'unknown' });
    const message = 'a promise was rejected, and nothing handles it: the plugin must await or catch it';
    this.#log.error(fields, message);
  }

  #reportEnd(err: unknown): void {
    const message =
      'an exception was thrown outside of a promise, and nothing catches it: the process ends, since its state is unknown';
    this.#log.fatal(this.#blame(err), message);
  }

  /** An error with its plugin, or with what ran where its stack names none. */
  #blame(err: unknown): { readonly err: unknown; readonly plugin?: string; readonly ran?: string[] } {
    const plugin = this.#pluginOf(err);
    return plugin === undefined ? { err, ran: this.#names() } : { err, plugin };
  }

  /** The plugin of the topmost frame that is in one, and not in a package beside its files. */
  #pluginOf(err: unknown): string | undefined {
    const lines = err instanceof Error ? (err.stack ?? '').split('\n').slice(1) : [];
    for (const line of lines) {
      for (const [plugin, folder] of this.#folders) {
        const [, rest] = line.split(folder);
        if (rest !== undefined && !/(?:^|\/)node_modules\//.test(rest)) return plugin;
      }
    }
    return undefined;
  }

  #names(): string[] {
    return [...this.#recent].map(({ name }) => name);
  }
}
