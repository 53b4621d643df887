import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { LOCAL_DEPLOYMENT } from './start-service.js';
import { BINARY } from './command.js';

/** For a machine that is busy with other tests. */
const READY_MS = 90_000;

/** What a call has beside its arguments. */
export interface CallInit {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The real service in a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Its standard error so far: the log. */
  said(): string;
  /** Calls a tool over its compatibility route. Rejects with the error's code and message, or when the service is gone. */
  call<T>(tool: string, args: object, init?: CallInit): Promise<T>;
  /** Ends it and waits: politely, or with SIGKILL. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/**
 * Starts `service-mcp serve` on a free port over `dataDir`, by default with one local owner; resolves when it is ready. Its
 * child process ends with it.
 */
export async function startService(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  config = LOCAL_DEPLOYMENT,
): Promise<ServiceProcess> {
  const args = ['serve', '--config', config, '--port', '0', '--data', dataDir, '--json'];
  const child = spawn(process.execPath, [BINARY, ...args], {
    env: { ...process.env, SERVICE_LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'exit');
  const { url } = await Promise.race([
    firstJson(child.stdout),
    exited.then(() => Promise.reject(new Error(`the service ended before it was ready: ${errors}`))),
    new Promise<never>((_resolve, reject) => {
      setTimeout(
        () => reject(new Error(`the service was not ready within ${READY_MS} ms: ${errors}`)),
        READY_MS,
      ).unref();
    }),
  ]);
  return {
    url,
    child,
    said: () => errors,
    async call<T>(tool: string, args: object, { headers, signal }: CallInit = {}) {
      const response = await fetch(`${url}/api/v1/tools/${tool}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-toolset': 'complete', ...headers },
        body: JSON.stringify(args),
        signal: signal ?? null,
      });
      const body = (await response.json()) as {
        structuredContent: T;
        error?: { code: string; message: string };
      };
      if (body.error) throw new Error(`${body.error.code}: ${body.error.message}`);
      return body.structuredContent;
    },
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await exited;
      }
    },
  };
}

/** The first JSON object that is printed. */
async function firstJson(stdout: NodeJS.ReadableStream): Promise<{ url: string }> {
  let text = '';
  for await (const chunk of stdout) {
    text += String(chunk);
    if (text.trimEnd().endsWith('}')) break;
  }
  return JSON.parse(text) as { url: string };
}
