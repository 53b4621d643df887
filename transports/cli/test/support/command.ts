import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInProcess, type CommandOptions, type CommandOutcome } from '@service-mcp/core/testing';
import { run } from '#cli/run.js';

const BIN = fileURLToPath(new URL('../../../bin/service-mcp.js', import.meta.url));
/** The folder in which npm links the command. */
const LINKS = fileURLToPath(new URL('../../../../../node_modules/.bin', import.meta.url));

export type { CommandOutcome };

export interface RunOptions extends CommandOptions {
  /** Over the plain environment of a test run. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The environment of a test run: nothing of the person's own settings reaches it. */
function cleanEnv(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_OPTIONS, NODE_V8_COVERAGE } = process.env;
  const XDG_CONFIG_HOME = join(tmpdir(), `service-mcp-cli-config-${process.pid}`);
  // As for a person who has the command on the PATH: hints name it alone.
  return {
    XDG_CONFIG_HOME,
    PATH: `${LINKS}${delimiter}${PATH}`,
    HOME,
    TMPDIR,
    NODE_OPTIONS,
    NODE_V8_COVERAGE,
    ...extra,
  };
}

/** Starts the real binary. */
export function startCommand(args: readonly string[], options: RunOptions = {}): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], {
    cwd: options.cwd,
    env: cleanEnv(options.env),
    stdio: 'pipe',
  });
}

/** Starts the real binary as a service over this folder, on a free port; it prints its address as JSON. */
export function serve(data: string): ChildProcess {
  // A second process for the indexing of a few files would cost more than all they ask of the service.
  const env = { SERVICE_WORKERS: 'inside' };
  return startCommand(['serve', '--port', '0', '--data', data, '--json'], { env });
}

/** Runs a command in this process to its end. */
export function runCommand(args: readonly string[], options: RunOptions = {}): Promise<CommandOutcome> {
  return runInProcess(run, args, { ...options, env: cleanEnv(options.env) });
}

/** Runs the real binary to its end. */
export async function runBinary(args: readonly string[], options: RunOptions = {}): Promise<CommandOutcome> {
  const child = startCommand(args, options);
  child.stdin?.end(options.input ?? '');
  return ended(child);
}

/** Collects the output of a started binary until it ends. */
export function ended(child: ChildProcess): Promise<CommandOutcome> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (part: Buffer) => (stdout += part.toString('utf8')));
  child.stderr?.on('data', (part: Buffer) => (stderr += part.toString('utf8')));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

/** Resolves with what stdout or stderr held up to `text`, which is its end; a line of the other one may come between any two. */
export function told(child: ChildProcess, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const heard = [child.stdout, child.stderr].map((stream) => {
      let own = '';
      stream?.on('data', (part: Buffer) => {
        own += part.toString('utf8');
        const at = own.indexOf(text);
        if (at !== -1) resolve(own.slice(0, at + text.length));
      });
      return () => own;
    });
    child.on('close', () =>
      reject(new Error(`ended before it told "${text}":\n${heard.map((own) => own()).join('')}`)),
    );
  });
}
