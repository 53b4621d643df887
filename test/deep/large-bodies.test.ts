import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService, type ServiceProcess } from '../service-process.js';

const CONNECTIONS = 60;
const MEBIBYTE = 2 ** 20;
const BODY_BYTES = 15 * MEBIBYTE;
const MAX_GROWTH_MIB = 300;
/** What the process may keep of it: the heap and the allocator give back in steps. */
const MAX_KEPT_MIB = 100;
const ROUNDS = 3;

/** A body on its way: all of it is sent but its last byte. */
interface Upload {
  readonly sent: ClientRequest;
  readonly answered: Promise<number>;
}

describe(`threat: ${CONNECTIONS} connections that each send ${BODY_BYTES / MEBIBYTE} MiB`, () => {
  let dataDir: string;
  let service: ServiceProcess;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-'));
    service = await startService(dataDir, { SERVICE_WORKERS: 'elsewhere' });
  });
  after(async () => {
    await service?.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  async function resident(): Promise<number> {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / MEBIBYTE;
  }

  /** Resolves when all but the last byte is sent, or when it is answered before. */
  async function upload(body: Buffer, isChunked: boolean): Promise<Upload> {
    const headers = {
      'content-type': 'application/json',
      ...(isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length }),
    };
    const sent = request(`${service.url}/api/v1/tools/files_ingest`, { method: 'POST', headers });
    const answered = new Promise<number>((resolve) => {
      sent.once('response', (response: IncomingMessage) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', () => resolve(0)); // the service closed a connection that it had refused
    });
    const flushed = new Promise<void>((resolve) => {
      sent.write(body.subarray(0, -1), () => resolve());
    });
    await Promise.race([flushed, answered]);
    return { sent, answered };
  }

  for (const isChunked of [false, true]) {
    it(`grow the process by at most ${MAX_GROWTH_MIB} MiB, which it gives back: ${isChunked ? 'chunked' : 'of known length'}`, async () => {
      const { id: workspace_id } = await service.call<{ id: string }>('workspaces_create', { name: 'w' });
      const { id: project_id } = await service.call<{ id: string }>('projects_create', {
        workspace_id,
        name: 'p',
      });
      const line = 'The walrus sleeps on the floe, all the day long.\n';
      const content = line.repeat(Math.floor(MEBIBYTE / 2 / line.length));
      const files = Array.from({ length: 29 }, (_, n) => ({ path: `f${n}.md`, content: `${n} ${content}` }));
      const text = JSON.stringify({ project_id, files });
      const body = Buffer.from(text.slice(0, -1).padEnd(BODY_BYTES - 1) + '}');

      for (let n = 0; n < 2; n++) {
        const { sent, answered } = await upload(body, isChunked);
        sent.end(body.subarray(-1));
        assert.equal(await answered, 200, 'one alone is taken');
      }
      const before = await resident();
      let peak = before;
      const sampling = new AbortController();
      const samples = (async () => {
        for (; !sampling.signal.aborted; await delay(50)) peak = Math.max(peak, await resident());
      })();
      const statuses = new Map<number, number>();
      for (let round = 0; round < ROUNDS; round++) {
        const uploads = await Promise.all(Array.from({ length: CONNECTIONS }, () => upload(body, isChunked)));
        await delay(100); // for a sample while all are held
        for (const { sent } of uploads) sent.end(body.subarray(-1));
        for (const { answered } of uploads) {
          const status = await answered;
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }
      sampling.abort();
      await samples;
      assert.ok((statuses.get(200) ?? 0) >= ROUNDS, 'nothing was taken');
      assert.ok((statuses.get(503) ?? 0) >= CONNECTIONS, 'too little was refused');
      let after = await resident();
      for (const until = Date.now() + 120_000; after > before + MAX_KEPT_MIB && Date.now() < until;) {
        await delay(500);
        after = await resident();
      }
      const figures = [before, peak, after].map(Math.round);
      console.log(
        `      MiB before, at the peak, after: ${figures.join(', ')}; ${JSON.stringify([...statuses])}`,
      );
      assert.ok(peak - before <= MAX_GROWTH_MIB, `grew by ${peak - before} MiB`);
      assert.ok(after - before <= MAX_KEPT_MIB, `kept ${after - before} MiB`);
    });
  }
});
