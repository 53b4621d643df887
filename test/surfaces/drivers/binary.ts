import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const entry = createRequire(import.meta.url).resolve('service-mcp');

/** The script behind `service-mcp`. */
export const BINARY = join(dirname(entry), '..', 'bin', 'service-mcp.js');

/** Nothing of the person's own settings reaches a child of the tests. */
export function cleanEnv(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'NODE_V8_COVERAGE'];
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `service-mcp` to its end. */
export function runBinary(args: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(process.execPath, [BINARY, ...args], { env: cleanEnv(), stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
