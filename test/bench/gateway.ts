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
    `tools/call of the trivial tool ${CALL.name} (revision 2026-07-28) through \`service-mcp http\` and the service behind it, beside the same ` +
    `call straight to that service, from one client on kept connections: ${COUNT} calls each in blocks that take turns. ` +
    'Client, gateway and service share two cores, so that with 16 calls at once they wait for each other.',
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startServer('service', dataDir);
    const gateway = await startServer('gateway', `http://127.0.0.1:${service.port}`);
    const [through, straight] = [poster(gateway.port), poster(service.port)];
    const rows: Cell[][] = [];
    const reading: string[] = [];
    try {
      for (const lanes of LANES) {
        report(`${lanes} at once …`);
        const { ours, raw } = await latencies(through.post, straight.post, COUNT, lanes);
        const added = { p50: ours.p50 - raw.p50, p95: ours.p95 - raw.p95 };
        rows.push([lanes, ours.p50, raw.p50, added.p50, ours.p95, raw.p95, added.p95]);
        reading.push(
          `With ${lanes} at once the gateway adds ${added.p50.toFixed(1)} ms at the median and ${added.p95.toFixed(1)} ms at the 95th percentile.`,
        );
      }
    } finally {
      through.close();
      straight.close();
      await gateway.stop();
      await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
    return {
      tables: [
        {
          caption: 'Milliseconds a call',
          columns: [
            'at once',
            'gateway p50',
            'straight p50',
            'added p50',
            'gateway p95',
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
