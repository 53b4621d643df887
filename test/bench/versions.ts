import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './bench.js';
import { startServer, startServerOf } from './measure/child.js';
import { duel, type Duel } from './measure/duel.js';
import { requestBytes } from './measure/load.js';
import { MODERN_HEADERS, legacyRequest, modernBody } from './mcp.js';
import { COLUMNS, ROUTES, duelRow, verdict } from './rest.js';

/** Quartiles of such a comparison lie about that far apart when both sides are the same. */
const TARGET = 0.97;

export const versions: Bench = {
  name: 'versions',
  title: 'This version beside an earlier one',
  method:
    'The default deployment of this checkout beside that of the built checkout in BENCH_BASE, with the same trivial tool, ' +
    'over REST and MCP, in one run. Slices as for REST. No authentication.',
  skip: () => (process.env['BENCH_BASE'] ? undefined : 'set BENCH_BASE to the folder of a built checkout'),
  async run(report) {
    const folders = await Promise.all(
      ['ours', 'base'].map((name) => mkdtemp(join(tmpdir(), `service-mcp-bench-${name}-`))),
    );
    const [ownData = '', baseData = ''] = folders;
    const ours = await startServer('service', ownData);
    const base = await startServerOf(process.env['BENCH_BASE'] ?? '', 'service', baseData);
    const duels: [string, Duel][] = [];
    try {
      for (const [method, request] of [
        ...ROUTES,
        ['MCP, modern', requestBytes('/mcp', modernBody(), MODERN_HEADERS)] as const,
      ]) {
        report(`${method} …`);
        duels.push([method, await duel({ server: ours, request }, { server: base, request })]);
      }
      report('MCP, legacy …');
      const [own, former] = await Promise.all([legacyRequest(ours.port), legacyRequest(base.port)]);
      const legacy = await duel({ server: ours, request: own }, { server: base, request: former });
      duels.push(['MCP, legacy', legacy]);
    } finally {
      await Promise.all([ours.stop(), base.stop()]);
      for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
    return {
      tables: [
        {
          caption: 'Calls a second',
          columns: COLUMNS,
          rows: duels.map(([name, result]) => duelRow(name, result)),
        },
      ],
      reading: duels.map(([name, result]) => verdict(name, result, TARGET)),
    };
  },
};
