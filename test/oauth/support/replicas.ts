import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@service-mcp/core/testing';
import { Browser } from './browser.js';
import { PASSWORD, REDIRECT, type Person } from './place.js';
import { fetchBehind, startProxy } from './proxy.js';

const BINARY = fileURLToPath(new URL('../bin/service-mcp.js', import.meta.resolve('service-mcp')));
const HOSTED = fileURLToPath(new URL('../../../../deploy/hosted.json', import.meta.url));
const READY_MS = 30_000;

/** The one address of the service, whichever process answers. */
export const ORIGIN = 'https://memory.test';

/** Two processes of the real service over one database, as behind a load balancer. */
export interface Replicas {
  /** Each calls the service by its public address, through one of the processes. */
  readonly through: readonly [typeof fetch, typeof fetch];
  person(name: string): Promise<Person & { readonly id: string }>;
  browser(process: 0 | 1): Browser;
  /** Runs a command of the real binary over the same database. Returns what it prints as JSON. */
  command(...args: readonly string[]): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

export async function startReplicas(database: TestDatabase): Promise<Replicas> {
  const packages = JSON.parse(await readFile(HOSTED, 'utf8')) as object;
  const file = join(database.dataDir, 'deployment.json');
  const sections = {
    server: { base_url: ORIGIN, trusted_proxies: ['loopback'] },
    limits: { read_per_minute: 0, write_per_minute: 0, open_per_minute: 0 },
    auth: { registration: 'open', oauth_key_check_seconds: 0 },
    log: { level: 'error' },
  };
  await writeFile(file, JSON.stringify({ ...packages, ...sections }));
  const options = ['--config', file, '--data', database.dataDir, '--json'];
  const environment = { ...process.env, ...database.env, XDG_CONFIG_HOME: join(database.dataDir, 'config') };
  const start = async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [BINARY, 'serve', '--port', String(port), ...options], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await ready(child);
    const proxy = await startProxy([new URL(ORIGIN).host], () => port);
    return {
      fetch: fetchBehind(proxy.port),
      async stop() {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
        await proxy.close();
      },
    };
  };
  const first = await start(); // it makes the tables, and the owner of a first run
  const second = await start();
  return {
    through: [first.fetch, second.fetch],
    browser: (which) => new Browser([first, second][which]?.fetch ?? fetch, REDIRECT),
    async person(name) {
      const person = { email: `${name}@example.com`, password: PASSWORD };
      const response = await first.fetch(`${ORIGIN}/v1/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...person, name }),
      });
      const { data } = (await response.json()) as { data: { user: { id: string } } };
      assert.equal(response.status, 201);
      return { ...person, id: data.user.id };
    },
    async command(...args) {
      const child = spawn(process.execPath, [BINARY, ...args, ...options], { env: environment });
      const exited = once(child, 'exit') as Promise<[number]>;
      let [printed, errors] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
      const [code] = await exited;
      assert.equal(code, 0, errors);
      return JSON.parse(printed) as Record<string, unknown>;
    },
    async stop() {
      await Promise.all([first.stop(), second.stop()]);
    },
  };
}

/** Until it prints its addresses. */
async function ready(child: ReturnType<typeof spawn>): Promise<void> {
  let [printed, errors] = ['', ''];
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the service ${why}: ${errors}`));
    const timer = setTimeout(() => fail(`was not ready within ${READY_MS} ms`), READY_MS);
    child.once('exit', () => fail('ended before it was ready'));
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (!printed.endsWith('\n}\n')) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A service with a public address does not print the port it is bound to, so it is told one. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
