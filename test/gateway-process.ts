import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type ServiceProcess } from './service-process.js';
import { BINARY } from './command.js';

const READY_MS = 30_000;

/** The real gateway in a process of its own. */
export interface GatewayProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Its standard error so far. */
  said(): string;
  end(): Promise<void>;
}

/** A service with one local owner, and a gateway before it. */
export interface Both {
  readonly service: ServiceProcess;
  readonly gateway: GatewayProcess;
  end(): Promise<void>;
}

/** Starts both over data of their own, which goes with them. */
export async function startBoth(): Promise<Both> {
  const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-'));
  const service = await startService(dataDir);
  const gateway = await startGateway(service.url);
  return {
    service,
    gateway,
    async end() {
      await gateway.end();
      await service.end();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Starts `service-mcp http` on a free loopback port, to the service at an address; resolves when it is ready. */
export async function startGateway(
  upstream: string,
  env: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const child = spawn(process.execPath, [BINARY, 'http', '--host', '127.0.0.1', '--port', '0', '--json'], {
    // No key of the person who runs the tests.
    env: { ...process.env, XDG_CONFIG_HOME: '/nonexistent', SERVICE_API_URL: upstream, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [printed, errors] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'exit');
  const { url } = await new Promise<{ url: string }>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the gateway ${why}: ${errors}`));
    const timer = setTimeout(() => fail(`was not ready within ${READY_MS} ms`), READY_MS);
    child.once('exit', () => fail('ended before it was ready'));
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (!printed.endsWith('\n}\n')) return;
      clearTimeout(timer);
      resolve(JSON.parse(printed) as { url: string });
    });
  });
  return {
    url,
    child,
    said: () => errors,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await exited;
    },
  };
}
