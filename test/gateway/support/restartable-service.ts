import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOSTED_DEPLOYMENT } from '../../start-service.js';
import { freePort } from '../../free-port.js';
import { run, type Running } from './run-until-ended.js';

/** The real service with accounts, in a process that can be killed and comes back at the same address. */
export interface Hosted {
  readonly url: string;
  /** The key of its local owner, and the file that it is kept in. */
  readonly key: string;
  readonly configHome: string;
  /** Makes another key of the owner's. */
  makeKey(name: string, more?: object): Promise<{ readonly id: string; readonly key: string }>;
  /** Sends a request to the service itself. */
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

interface Told {
  readonly url: string;
}

export async function startHosted(
  env: Readonly<Record<string, string>> = {},
  sections: object = {},
): Promise<Hosted> {
  const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-gateway-'));
  const configHome = join(dataDir, 'config');
  const file = join(dataDir, 'deployment.json');
  const packages = JSON.parse(await readFile(HOSTED_DEPLOYMENT, 'utf8')) as object;
  const defaults = {
    limits: { read_per_minute: 0, write_per_minute: 0, open_per_minute: 0 },
    auth: { registration: 'open', oauth_key_check_seconds: 0 },
    log: { level: 'error' },
  };
  await writeFile(file, JSON.stringify({ ...packages, ...defaults, ...sections }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = ['serve', '--config', file, '--data', dataDir, '--port', String(port)];
  let running: Running<Told> = await run(args, { XDG_CONFIG_HOME: configHome, ...env });
  const kept = await readFile(join(configHome, 'service-mcp', 'credentials.json'), 'utf8');
  const key = (JSON.parse(kept) as Record<string, { key: string }>)[url]?.key;
  assert.ok(key, 'the first run keeps a key');
  const post: Hosted['post'] = (path, body, headers = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    url,
    key,
    configHome,
    post,
    async makeKey(name, more = {}) {
      const response = await post('/v1/auth/api-keys', { name, ...more }, { 'x-service-api-key': key });
      const { data } = (await response.json()) as { data: { id: string; secret_key: string } };
      assert.equal(response.status, 201);
      return { id: data.id, key: data.secret_key };
    },
    kill: async () => void (await running.end('SIGKILL')),
    async start() {
      running = await run(args, { XDG_CONFIG_HOME: configHome, ...env });
    },
    async stop() {
      await running.end();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
