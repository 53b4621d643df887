import { text } from 'node:stream/consumers';
import { PassThrough, Readable } from 'node:stream';

/** The outcome of a command. */
export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** Default: the folder of this process. */
  readonly cwd?: string;
  /** The whole environment of the command. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** All of stdin. */
  readonly input?: string;
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs the entry of a command-line program (arguments in, exit code out) in this process, as if it were alone in it:
 * the streams, folder and environment of the process are the command's own until it ends. One command at a time.
 * A separate process takes a second; only tests of signals and crashes need one.
 */
export function runInProcess(
  entry: (args: readonly string[]) => Promise<number>,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandOutcome> {
  const outcome = turn.then(() => runAlone(entry, args, options));
  turn = outcome.catch(() => undefined);
  return outcome;
}

async function runAlone(
  entry: (args: readonly string[]) => Promise<number>,
  args: readonly string[],
  { cwd = process.cwd(), env = process.env, input = '' }: CommandOptions,
): Promise<CommandOutcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const swapped = { stdin: Readable.from([Buffer.from(input)]), stdout, stderr, env: { ...env } };
  const kept = Object.getOwnPropertyDescriptors(process);
  const folder = process.cwd();
  const { exitCode } = process;
  for (const [name, value] of Object.entries(swapped))
    Object.defineProperty(process, name, { value, configurable: true, writable: true, enumerable: true });
  process.exitCode = undefined;
  process.chdir(cwd);
  let code: number;
  try {
    code = await entry(args);
  } finally {
    process.chdir(folder);
    process.exitCode = exitCode;
    for (const name of Object.keys(swapped) as (keyof typeof swapped)[])
      Object.defineProperty(process, name, kept[name]);
    stdout.end();
    stderr.end();
  }
  const [out, error] = await printed;
  return { code, stdout: out, stderr: error };
}
