import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startGateway } from '../../gateway-process.js';
import { startHosted } from '../../gateway/support/restartable-service.js';
import { HOSTED_DEPLOYMENT } from '../../start-service.js';
import { BINARY, cleanEnv } from '../../command.js';
import type { Server } from './client.js';

const WORK_PLUGIN = fileURLToPath(new URL('work-plugin.js', import.meta.url));

/** The ways in to one service with accounts: all take the same key. */
export const WAYS = ['service', 'gateway', 'stdio'] as const;
export type Way = (typeof WAYS)[number];

/** The real service with the tools of the tests, and a real gateway before it that holds no key of its own. */
export interface Place {
  server(way: Way): Server;
  /** Makes an account of the service. */
  register(person: { readonly email: string; readonly password: string }): Promise<void>;
  /** Calls a tool of the service itself, past any client under test. */
  call(tool: string, args: object): Promise<Readonly<Record<string, unknown>>>;
  /** Names that `tools/list` must contain. */
  listed(): Promise<string[]>;
  /** How a call of `work_wait` ended, once it did. */
  ended(key: string): Promise<unknown>;
  /** Once a call of `work_wait` has begun. */
  begun(key: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startPlace(): Promise<Place> {
  const hosted = JSON.parse(await readFile(HOSTED_DEPLOYMENT, 'utf8')) as { plugins: string[] };
  const service = await startHosted({}, { plugins: [...hosted.plugins, WORK_PLUGIN] });
  const gateway = await startGateway(service.url).catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  const headers = { 'X-Service-API-Key': service.key };
  const http = (name: string, base: string): Server => ({ kind: 'http', name, url: `${base}/mcp`, headers });
  const servers: Readonly<Record<Way, Server>> = {
    service: http('service', service.url),
    gateway: http('gateway', gateway.url),
    stdio: {
      kind: 'stdio',
      name: 'stdio',
      command: process.execPath,
      args: [BINARY, 'stdio'],
      env: { ...cleanEnv(), SERVICE_API_URL: service.url, SERVICE_API_KEY: service.key },
    },
  };
  const call: Place['call'] = async (tool, args) => {
    const response = await service.post(`/api/v1/tools/${tool}`, args, headers);
    const body = (await response.json()) as { structuredContent: Record<string, unknown> };
    assert.equal(response.status, 200, JSON.stringify(body));
    return body.structuredContent;
  };
  const state = async (key: string) => (await call('work_waited', { key }))['state'];
  return {
    server: (way) => servers[way],
    async register(person) {
      assert.equal((await service.post('/v1/auth/register', person)).status, 201);
    },
    call,
    async listed() {
      const response = await fetch(`${service.url}/api/v1/tools/list`, { headers });
      const { tools } = (await response.json()) as { tools: { name: string }[] };
      return tools.map(({ name }) => name);
    },
    async ended(key) {
      for (;;) {
        const now = await state(key);
        if (now !== 'waiting') return now;
        await delay(25);
      }
    },
    async begun(key) {
      while ((await state(key)) === 'unknown') await delay(25);
    },
    async stop() {
      await gateway.end();
      await service.stop();
    },
  };
}
