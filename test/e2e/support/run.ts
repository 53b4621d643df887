import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of this repository. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a person's shell: no variables of npm or of the service. */
export function plainEnv(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:npm_|SERVICE_|DATABASE_|LANCEDB_|INIT_CWD)/i.test(name) ||
      /^npm_config_(?:registry|cache|userconfig)$/i.test(name),
  );
  return { ...Object.fromEntries(kept), ...extra };
}

/** Runs a command to its end. */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<Outcome> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: plainEnv(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString('utf8')));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString('utf8')));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs a command that must succeed; returns its output. */
export async function runWell(...args: Parameters<typeof run>): Promise<string> {
  const outcome = await run(...args);
  if (outcome.code === 0) return outcome.stdout;
  throw new Error(
    `${[args[0], ...args[1]].join(' ')} ended with ${outcome.code}:\n${outcome.stdout}${outcome.stderr}`,
  );
}
