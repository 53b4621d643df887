import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { startBoth, type Both } from '../gateway-process.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'abuse', version: '1' } },
};
const ACCEPT = { accept: 'application/json, text/event-stream' };
/** How much a process may grow over sessions that nobody closes; one of a peer takes a megabyte each. */
const GROWTH = 160 * 1024 * 1024;

const memory = ({ pid }: ChildProcess) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** Posts `count` times over kept connections, 20 at a time; returns the statuses that came. */
async function flood(url: string, count: number): Promise<Set<number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const body = JSON.stringify(INITIALIZE);
  const headers = { ...ACCEPT, 'content-type': 'application/json' };
  const once = () =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${url}/mcp`, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', reject).end(body);
    });
  const statuses = new Set<number>();
  let sent = 0;
  const lane = async () => {
    while (sent < count) {
      sent += 1;
      statuses.add(await once());
    }
  };
  await Promise.all(Array.from({ length: 20 }, lane));
  agent.destroy();
  return statuses;
}

describe('sessions that nobody closes', () => {
  let both: Both;
  before(async () => {
    both = await startBoth();
  });
  after(() => both.end());

  for (const [name, of] of [
    ['serve', () => both.service],
    ['the gateway', () => both.gateway],
  ] as const) {
    it(`${name}: 2,000 of them leave memory level`, async () => {
      assert.deepEqual(await flood(of().url, 500), new Set([200]));
      const before = memory(of().child);
      assert.deepEqual(await flood(of().url, 2000), new Set([200]));
      const grown = memory(of().child) - before;
      assert.ok(grown < GROWTH, `it grew by ${(grown / 1024 / 1024).toFixed(0)} MiB`);
    });
  }
});
