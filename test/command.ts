import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInProcess, type CommandOptions, type CommandOutcome } from '@service-mcp/core/testing';
import { run } from 'service-mcp';

/** The script behind `service-mcp`. */
export const BINARY = fileURLToPath(new URL('../bin/service-mcp.js', import.meta.resolve('service-mcp')));

/** An environment with nothing of the person's own settings. */
export function cleanEnv(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'NODE_V8_COVERAGE'];
  const values = kept.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const XDG_CONFIG_HOME = join(tmpdir(), `service-mcp-config-${process.pid}`);
  return { ...Object.fromEntries(values), XDG_CONFIG_HOME };
}

/** Runs `service-mcp` in this process to its end; `env` is laid over {@link cleanEnv}. */
export function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<CommandOutcome> {
  return runInProcess(run, args, { ...options, env: { ...cleanEnv(), ...options.env } });
}

/** The same in a process of its own. */
export function runBinary(
  args: readonly string[],
  { cwd, env, input = '' }: CommandOptions = {},
): Promise<CommandOutcome> {
  const child = spawn(process.execPath, [BINARY, ...args], {
    cwd,
    env: { ...cleanEnv(), ...env },
    stdio: 'pipe',
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
