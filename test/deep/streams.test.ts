import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '../gateway-process.js';
import { startHosted, withKey } from '../security/start-hosted.js';
import { ask } from '../security/raw-http.js';
import { startService } from '../service-process.js';

const STREAM = '/api/v1/stream';
/** A heartbeat checks the credential each 15 s; a reader that takes nothing is dropped after 30 s. */
const BEAT_MS = 15_000;
const SLOW_READER_MS = 30_000;
const MiB = 1024 * 1024;
/** Each of about 1 kB for each reader: more than the kernel takes for one that reads nothing. */
const CHANGES = 8000;

/** Opens a stream and reads it; resolves with its head, and with how it ended. */
function follow(url: string, headers: Record<string, string>) {
  const opened = new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}${STREAM}`, { headers, agent: false }, resolve).on('error', reject).end();
  });
  const ended = opened.then(
    (answer) =>
      new Promise<string>((resolve) => {
        let heard = '';
        answer.on('data', (chunk: Buffer) => (heard += chunk.toString()));
        answer.on('close', () => resolve(heard));
      }),
  );
  return { opened, ended };
}

describe('long streams of change events', () => {
  it('beat, and end for a key that was revoked, straight and through the gateway', async () => {
    const service = await startHosted();
    const gateway = await startGateway(service.local);
    try {
      const ann = await service.account('ann');
      const streams = [follow(service.local, withKey(ann.key)), follow(gateway.url, withKey(ann.key))];
      for (const { opened } of streams) assert.equal((await opened).statusCode, 200);
      await sleep(BEAT_MS + 1000);
      const { status } = await ask(service.local, `/v1/auth/api-keys/${ann.keyId}`, {
        method: 'DELETE',
        headers: withKey(ann.key),
      });
      assert.equal(status, 200);
      const late = sleep(3 * BEAT_MS, undefined, { ref: false }).then(() => assert.fail('a stream goes on'));
      for (const { ended } of streams) {
        assert.match(await Promise.race([ended, late]), /event: stream\.opened[^]*^:$/m);
      }
    } finally {
      await gateway.end();
      await service.stop();
    }
  });

  it('drop a reader that reads nothing, whatever happens meanwhile, and free its buffers', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-'));
    const service = await startService(dataDir);
    try {
      const { hostname, port } = new URL(service.url);
      const memory = () =>
        Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1]) * 1024;
      const readers = async () =>
        Number(/^service_mcp_stream_readers (\d+)$/m.exec((await ask(service.url, '/metrics')).text)?.[1]);
      const { id } = await service.call<{ id: string }>('workspaces_create', { name: 'w' });
      const change = async (count: number) => {
        for (let n = 0; n < count; n += 1)
          await service.call('workspaces_update', { workspace_id: id, name: `${n} ${'語'.repeat(190)}` });
      };
      await change(CHANGES / 4); // so that the heap has its size
      const before = memory();
      const silent = Array.from({ length: 50 }, () => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(`GET ${STREAM} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
        });
        socket.pause();
        socket.on('error', () => undefined);
        return socket;
      });
      while ((await readers()) < silent.length) await sleep(50);
      // Fills the buffers of both kernels; after that nothing moves.
      await change(CHANGES);
      const started = Date.now();
      while ((await readers()) > 0) {
        assert.ok(Date.now() - started < 3 * SLOW_READER_MS, 'slow readers are still there');
        await sleep(500);
      }
      const grown = memory() - before;
      assert.ok(grown < 150 * MiB, `it grew by ${(grown / MiB).toFixed(0)} MiB`);
      for (const socket of silent) socket.destroy();
    } finally {
      await service.end();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
