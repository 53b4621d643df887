import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Cell } from './bench.js';
import { startServer, type ServerProcess } from './measure/child.js';
import { median, quantile } from './measure/stats.js';

const READERS = 1000;
const EVENTS = 20;
const SETTLE_MS = 1500;

interface Measured {
  readonly kibPerReader: number;
  /** Milliseconds from the request that makes an event to its arrival at a reader. */
  readonly p50: number;
  readonly p95: number;
}

/** Opens the readers, lets events happen and sees when each arrives. */
async function measure(server: ServerProcess): Promise<Measured> {
  const before = (await server.usage()).rss;
  const arrivals: number[] = [];
  const sockets = await Promise.all(Array.from({ length: READERS }, () => open(server.port, arrivals)));
  await sleep(SETTLE_MS);
  const held = (await server.usage()).rss - before;
  const times: number[] = [];
  try {
    for (let event = 0; event < EVENTS; event += 1) {
      arrivals.length = 0;
      const started = performance.now();
      await make(server.port, event);
      while (arrivals.length < READERS) await sleep(1);
      times.push(...arrivals.map((at) => at - started));
    }
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return { kibPerReader: held / READERS / 1024, p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

/** Resolves when the stream is open; notes each event that arrives. */
function open(port: number, arrivals: number[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () =>
      socket.write('GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n'),
    );
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (text.includes('event: stream.opened')) resolve(socket);
      if (text.includes('event: workspace.created')) arrivals.push(performance.now());
    });
  });
}

async function make(port: number, event: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/workspaces`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: `event ${event}` }),
  });
  if (!response.ok) throw new Error(`the event was not made: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

export const streams: Bench = {
  name: 'streams',
  title: 'A thousand readers of change events',
  method:
    `${READERS} open readers of \`/api/v1/stream\`, then ${EVENTS} events one after the other, each made by POST /v1/workspaces: memory that the ` +
    'process holds more than before, by reader, and the time from that request to the arrival at each reader. Beside it a bare ' +
    'Node server that writes each event to a set of open responses, without a database, admission or replay. Median of three runs, taking turns.',
  async run(report) {
    const results: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round < 3; round += 1) {
      report(`round ${round + 1} …`);
      const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
      const ours = await startServer('service', dataDir);
      results[0].push(await measure(ours).finally(() => ours.stop()));
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
      const peer = await startServer('bare-sse');
      results[1].push(await measure(peer).finally(() => peer.stop()));
    }
    const of = (side: 0 | 1, key: keyof Measured) => median(results[side].map((result) => result[key]));
    const row = (name: string, side: 0 | 1): Cell[] => [
      name,
      of(side, 'kibPerReader'),
      of(side, 'p50'),
      of(side, 'p95'),
    ];
    return {
      tables: [
        {
          caption: `${READERS} readers`,
          columns: ['server', 'KiB a reader', 'arrival p50 ms', 'arrival p95 ms'],
          rows: [row('service', 0), row('bare server', 1)],
        },
      ],
      reading: [
        `A reader holds ${of(0, 'kibPerReader').toFixed(0)} KiB, ${(of(0, 'kibPerReader') / of(1, 'kibPerReader')).toFixed(1)} times that of a bare response.`,
        'Events are gathered for 20 ms after one is announced before readers get them, which the arrival holds.',
      ],
    };
  },
};
