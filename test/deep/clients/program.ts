import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A client that is a program: one process a request. */
export interface Program {
  readonly node: string;
  readonly script: string;
  /** Its home and working folder: nothing of the person's own settings reaches it. */
  readonly home: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program is started with: no setting of a service, and no home but its own. */
export function environment(home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, NO_COLOR: '1', MCP_REMOTE_CONFIG_DIR: home };
}

/** Runs it to its end. An abort interrupts it as Ctrl-C does, and rejects. */
export async function runProgram(
  { node, script, home }: Program,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<Ended> {
  const child = spawn(node, [script, ...args], {
    cwd: home,
    env: environment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
    killSignal: 'SIGINT',
    ...(signal && { signal }),
  });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number | null];
  const [stdout, stderr] = await printed;
  return { code, stdout, stderr };
}

/** The one JSON value that a program printed. */
export function parsed(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch {
    throw new Error(`not one JSON value was printed, but:\n${printed}`);
  }
}
