import { Agent, request } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Cell } from './bench.js';
import { startServer } from './measure/child.js';
import { latencies } from './measure/latency.js';
import { CALL, MODERN_HEADERS, modernBody } from './mcp.js';

const COUNT = 2000;
const LANES = [1, 16];

type Poster = ReturnType<typeof poster>;

/** Posts the same call over and over on kept connections. */
function poster(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const body = Buffer.from(JSON.stringify(modernBody()));
  const headers = { ...MODERN_HEADERS, 'Content-Type': 'application/json', 'Content-Length': body.length };
  const post = () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers, agent },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            if (answer.statusCode === 200 && text.includes('structuredContent')) resolve();
            else reject(new Error(`answered ${answer.statusCode}: ${text.slice(0, 300)}`));
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  return { post, close: () => agent.destroy() };
}

export const gatewayCost: Bench = {
  name: 'gateway',
  title: 'What the gateway adds to a call',
  method:
    `tools/call of the trivial tool ${CALL.name} (revision 2026-07-28) through \`service-mcp http\` and the service behind it, and through a plain ` +
    `streaming proxy of node:http in its place, each beside the same call straight to that service, from one client on kept connections: ${COUNT} calls each in blocks that take turns. ` +
    'Client, gateway and service share two cores, so that with 16 calls at once they wait for each other.',
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startServer('service', dataDir);
    const gateway = await startServer('gateway', `http://127.0.0.1:${service.port}`);
    const plain = await startServer('plain-proxy', `http://127.0.0.1:${service.port}`);
    const [through, around, straight] = [gateway, plain, service].map(({ port }) => poster(port)) as [
      Poster,
      Poster,
      Poster,
    ];
    const rows: Cell[][] = [];
    const reading: string[] = [];
    try {
      for (const lanes of LANES) {
        report(`${lanes} at once …`);
        const added: string[] = [];
        for (const [name, { post }] of [
          ['gateway', through],
          ['plain proxy', around],
        ] as const) {
          const { ours, raw } = await latencies(post, straight.post, COUNT, lanes);
          const more = { p50: ours.p50 - raw.p50, p95: ours.p95 - raw.p95 };
          rows.push([lanes, name, ours.p50, raw.p50, more.p50, ours.p95, raw.p95, more.p95]);
          added.push(
            `the ${name} adds ${more.p50.toFixed(1)} ms at the median and ${more.p95.toFixed(1)} ms at the 95th percentile`,
          );
        }
        reading.push(`With ${lanes} at once ${added.join('; ')}.`);
      }
    } finally {
      for (const { close } of [through, around, straight]) close();
      await gateway.stop();
      await plain.stop();
      await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
    return {
      tables: [
        {
          caption: 'Milliseconds a call',
          columns: [
            'at once',
            'through',
            'p50',
            'straight p50',
            'added p50',
            'p95',
            'straight p95',
            'added p95',
          ],
          rows,
        },
      ],
      reading,
    };
  },
};
