import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';
import { BINARY, flagsOf, type DeploymentOptions } from '../deployment.js';
import type { Invocation } from '../invocation.js';
import type { Terminal } from '../terminal/terminal.js';

/** What a service tells the process that restarts it. */
export type ServiceReport =
  /** Its deployment file, and the entry files of its plugins and transports: they are imported. */
  | { readonly file: string; readonly entries: readonly string[] }
  /** It listens. */
  | { readonly url: string; readonly port: number };

/** A compiler writes its files one after the other. */
const SETTLE_MS = 300;
/** A stop takes nine seconds at most; a service whose event loop is blocked does not begin with it. */
const END_TIMEOUT_MS = 12_000;
const MAX_NAMES = 3;
const CODE = /\.[cm]?js$/;

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
  readonly #watcher = watch([], {
    ignoreInitial: true,
    ignored: (path, stats) =>
      basename(path) === 'node_modules' ||
      (stats?.isFile() === true && !CODE.test(path) && path !== this.#file),
  });
  #fail: (code: number) => void = () => undefined;
  #child: ChildProcess | undefined;
  #ending: Promise<void> | undefined;
  #file: string | undefined;
  #folders: ReadonlySet<string> = new Set();
  #port: number | undefined;
  #isRestart = false;
  #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DeploymentOptions, terminal: Terminal) {
    this.#options = options;
    this.#terminal = terminal;
    this.#port = options.port;
    this.failed = new Promise((resolve) => (this.#fail = resolve));
    this.#watcher.on('all', (event, path) => {
      if (CODE.test(path) || path === this.#file) this.#onChange(path);
      // A folder that is deleted is watched for again, in its parent.
      if (event === 'unlinkDir' && this.#folders.has(path)) this.#watcher.add(path);
    });
    this.#start();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([this.#watcher.close(), this.#end()]);
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
      const isFirst = this.#file === undefined;
      this.#file = report.file;
      this.#folders = new Set(report.entries.map((entry) => dirname(entry)));
      this.#watcher.add([report.file, ...this.#folders]);
      if (isFirst)
        this.#watcher.once('ready', () =>
          this.#terminal.write('Watching the deployment file and its plugins for changes.'),
        );
      return;
    }
    this.#port = report.port;
    if (this.#isRestart) this.#terminal.write(`Ready again on ${report.url}.`);
    this.#isRestart = true;
  }

  #onChange(path: string): void {
    this.#changed.add(relative(process.cwd(), path));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#restart(), SETTLE_MS);
  }

  async #restart(): Promise<void> {
    const names = [...this.#changed];
    this.#changed = new Set();
    const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
    this.#terminal.write(`Restarting: ${names.slice(0, MAX_NAMES).join(', ')}${more} changed.`);
    await this.#end();
    // Stopped, or started by another change meanwhile.
    if (!this.#watcher.closed && !this.#child) this.#start();
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
    const grace = sleep(END_TIMEOUT_MS, 'late', { ref: false });
    if ((await Promise.race([exited, grace])) !== 'late') return;
    this.#terminal.warn('The service does not stop; it is killed.');
    child.kill('SIGKILL');
    await exited;
  }
}
