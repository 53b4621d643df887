import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { BINARY } from '../../command.js';

const READY_MS = 30_000;

/** A command of the real binary that runs until it is ended. */
export interface Running<Told> {
  /** The JSON that it printed when ready. */
  readonly told: Told;
  /** Its standard error so far. */
  errors(): string;
  /** Ends it and waits; resolves to its exit code, null after SIGKILL. */
  end(signal?: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>;
}

/** The environment of the tests without the variables of a service. */
export function environment(env: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:SERVICE|MCP|DATABASE|XDG)_/.test(name),
  );
  return { ...(Object.fromEntries(inherited) as Record<string, string>), ...env }; // set variables are strings
}

/** Runs `service-mcp ARGS --json` and waits for the JSON that it prints when ready. */
export async function run<Told>(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Running<Told>> {
  const child = spawn(process.execPath, [BINARY, ...args, '--json'], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const told = await new Promise<Told>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${args[0]} ${why}: ${errors}`));
    const timer = setTimeout(() => fail(`was not ready within ${READY_MS} ms`), READY_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      fail('ended before it was ready');
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (!printed.endsWith('\n}\n')) return;
      clearTimeout(timer);
      resolve(JSON.parse(printed) as Told);
    });
  });
  return {
    told,
    errors: () => errors,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return (await exited)[0];
    },
  };
}
