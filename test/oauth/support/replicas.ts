import assert from 'node:assert/strict';
import type { TestDatabase } from '@service-mcp/core/testing';
import { Browser } from './browser.js';
import { PASSWORD, REDIRECT, type Person } from './oauth-deployment.js';
import { fetchBehind, startProxy } from './proxy.js';
import { SETUP_TOKEN, prepareServing, type Serving } from './serve-process.js';

/** The one address of the service, whichever process answers. */
export const ORIGIN = 'https://memory.test';

/** Two processes of the real service over one database, as behind a load balancer. */
export interface Replicas {
  /** Each calls the service by its public address, through one of the processes. */
  readonly through: readonly [typeof fetch, typeof fetch];
  readonly command: Serving['command'];
  person(name: string): Promise<Person & { readonly id: string }>;
  browser(process: 0 | 1): Browser;
  stop(): Promise<void>;
}

export async function startReplicas(database: TestDatabase): Promise<Replicas> {
  const serving = await prepareServing(database, {
    server: { base_url: ORIGIN, trusted_proxies: ['loopback'] },
  });
  const start = async () => {
    const process = await serving.start();
    const proxy = await startProxy([new URL(ORIGIN).host], () => process.port);
    return {
      fetch: fetchBehind(proxy.port),
      async stop() {
        await process.stop();
        await proxy.close();
      },
    };
  };
  let isFirst = true;
  const first = await start(); // it makes the tables
  const second = await start();
  return {
    through: [first.fetch, second.fetch],
    command: (...args) => serving.command(...args),
    browser: (which) => new Browser([first, second][which]?.fetch ?? fetch, REDIRECT),
    async person(name) {
      const person = { email: `${name}@example.com`, password: PASSWORD };
      const setup = isFirst ? { setup_token: SETUP_TOKEN } : {};
      isFirst = false;
      const response = await first.fetch(`${ORIGIN}/v1/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...person, name, ...setup }),
      });
      const { data } = (await response.json()) as { data: { user: { id: string } } };
      assert.equal(response.status, 201);
      return { ...person, id: data.user.id };
    },
    async stop() {
      await Promise.all([first.stop(), second.stop()]);
    },
  };
}
