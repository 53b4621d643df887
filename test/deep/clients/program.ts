import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A client that is a program: one process a request. */
export interface Program {
  readonly node: string;
  readonly script: string;
  /** Its home and working folder: nothing of the person's own settings reaches it. */
  readonly home: string;
  /** Called with each chunk of output, of either stream, while it runs. */
  readonly hear?: (part: string) => void;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a program: no setting of a service, a home of its own, no keychain, no browser to open. */
export function environment(home: string): Record<string, string> {
  return {
    PATH: home,
    HOME: home,
    NO_COLOR: '1',
    MCP_REMOTE_CONFIG_DIR: home,
    MCP_INSPECTOR_SECRET_STORE: 'memory',
    MCP_AUTO_OPEN_ENABLED: 'true', // or the Inspector asks for no login without a terminal
  };
}

/** Runs it to its end. An abort interrupts it as Ctrl-C does, and rejects. */
export async function runProgram(
  { node, script, home, hear }: Program,
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
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    stdout += part;
    hear?.(part);
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
    hear?.(part);
  });
  const [code] = (await once(child, 'close')) as [number | null];
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
