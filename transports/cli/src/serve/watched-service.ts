import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '@service-mcp/core/wire';
import { BINARY, flagsOf, type DeploymentOptions } from '../deployment.js';
import type { Invocation } from '../invocation.js';
import type { Terminal } from '../terminal/terminal.js';
import { changedPaths, readStamps } from './code-stamps.js';

/** What a service tells the process that restarts it. */
export type ServiceReport =
  /** Its deployment file, and the entry files of its plugins and transports: they are imported. */
  | { readonly file: string; readonly entries: readonly string[] }
  /** It listens. */
  | { readonly url: string; readonly port: number };

/**
 * How often files are looked at. Events of the system are lost where folders are deleted and built again, and do not
 * come through the mounts of containers.
 */
const LOOK_MS = 500;
/** A stop takes nine seconds at most; a service whose event loop is blocked does not begin with it. */
const END_TIMEOUT_MS = 12_000;
const MAX_NAMES = 3;

/**
 * Runs `serve` in a child process until the signal, and starts it again on the same port after a change of the deployment
 * file or of a script in the folder of a plugin's or transport's entry file. A service that ended by itself starts at the
 * next change; one that could not import its packages ends the command with its exit code.
 */
export async function serveWatched(
  options: DeploymentOptions,
  { signal, terminal }: Invocation,
): Promise<void> {
  const service = new WatchedService(options, terminal);
  const aborted = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  try {
    const code = await Promise.race([service.failed, aborted]);
    process.exitCode = typeof code === 'number' ? code : 0;
  } finally {
    await service.close();
  }
}

class WatchedService {
  /** Resolves with the exit code of a service that ended before there was anything to watch. */
  readonly failed: Promise<number>;
  readonly #options: DeploymentOptions;
  readonly #terminal: Terminal;
  readonly #closed = new AbortController();
  /** Of every entry file so far. */
  readonly #folders = new Set<string>();
  #fail: (code: number) => void = () => undefined;
  #child: ChildProcess | undefined;
  #ending: Promise<void> | undefined;
  #file: string | undefined;
  #port: number | undefined;
  #isRestart = false;
  #watching: Promise<void> | undefined;

  constructor(options: DeploymentOptions, terminal: Terminal) {
    this.#options = options;
    this.#terminal = terminal;
    this.#port = options.port;
    this.failed = new Promise((resolve) => (this.#fail = resolve));
    this.#start();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#watching;
    await this.#end();
  }

  #start(): void {
    const options = { ...this.#options, ...(this.#port !== undefined && { port: this.#port }) };
    const { json } = this.#terminal;
    const flags = [...flagsOf(options, 'config', 'data', 'host', 'port'), ...(json ? ['--json'] : [])];
    const child = fork(BINARY, ['serve', '--watched', ...flags], {
      detached: true, // Ctrl-C reaches this process, which ends it
      // The addresses are printed once; as JSON they tell a program that the service is ready again.
      stdio: ['ignore', this.#isRestart && !json ? 'ignore' : 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    child.on('message', (report: ServiceReport) => this.#onReport(report));
    child.once('exit', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (this.#file === undefined) return this.#fail(code ?? 1);
      this.#terminal.write(
        `The service ended (${signal ?? `exit ${code}`}). It starts again after a change.`,
      );
    });
  }

  #onReport(report: ServiceReport): void {
    if ('file' in report) {
      this.#file = report.file;
      for (const entry of report.entries) this.#folders.add(dirname(entry));
      this.#watching ??= this.#watch(report.file);
      return;
    }
    this.#port = report.port;
    if (this.#isRestart) this.#terminal.write(`Ready again on ${report.url}.`);
    this.#isRestart = true;
  }

  /** Until it is closed: starts the service again after a change, as soon as two looks in a row see the same. */
  async #watch(file: string): Promise<void> {
    let folders = new Set(this.#folders);
    let started = await readStamps(file, folders);
    let last = started;
    this.#terminal.write('Watching the deployment file and its plugins for changes.');
    const { signal } = this.#closed;
    while (await sleep(LOOK_MS, true, { signal }).catch(() => false)) {
      const added = [...this.#folders].filter((folder) => !folders.has(folder));
      if (added.length > 0) {
        // The service has read them already: they are not changes.
        started = new Map([...(await readStamps(file, added)), ...started]);
        folders = new Set([...folders, ...added]);
      }
      const now = await readStamps(file, folders);
      const isSettled = changedPaths(last, now).length === 0;
      last = now;
      const changed = changedPaths(started, now);
      if (!isSettled || changed.length === 0) continue;
      started = now;
      await this.#restart(changed.map((path) => relative(process.cwd(), path)));
    }
  }

  async #restart(changed: readonly string[]): Promise<void> {
    const more = changed.length > MAX_NAMES ? ` and ${changed.length - MAX_NAMES} more` : '';
    this.#terminal.write(`Restarting: ${changed.slice(0, MAX_NAMES).join(', ')}${more} changed.`);
    await this.#end();
    if (!this.#closed.signal.aborted) this.#start();
  }

  /** Ends the service as if this process had died, and waits. */
  #end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child) this.#ending = this.#endChild(child);
    return this.#ending ?? Promise.resolve();
  }

  async #endChild(child: ChildProcess): Promise<void> {
    const exited = once(child, 'exit');
    if (child.connected) child.disconnect();
    if (await within(END_TIMEOUT_MS, exited)) return;
    this.#terminal.warn('The service does not stop; it is killed.');
    child.kill('SIGKILL');
    await exited;
  }
}
