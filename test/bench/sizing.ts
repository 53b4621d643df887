import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Cell } from './bench.js';
import { followIndexing, ingest } from './ingest.js';
import { startServer } from './measure/child.js';
import { sourceFiles } from './measure/corpus.js';
import { watchFootprint } from './measure/footprint.js';
import { writeLargeTree } from './measure/large-tree.js';
import { callTool } from './measure/rest-client.js';

/** Sizes of the source text, in megabytes. */
const SIZES = (process.env['BENCH_SIZES_MB'] ?? '5,25,50').split(',').map(Number);
const QUERIES = ['read a file', 'parse the options of a command', 'close a connection', 'cache', 'sourceMap'];
const SEARCHES = 100;
const MEBIBYTE = 2 ** 20;

async function measure(megabytes: number): Promise<readonly Cell[]> {
  const folder = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
  const [tree, dataDir] = [join(folder, 'tree'), join(folder, 'data')];
  const files = await writeLargeTree(tree, await sourceFiles(Infinity), megabytes * 1e6);
  const service = await startServer('service', dataDir, 'child');
  try {
    const footprint = watchFootprint(dataDir, service.pid);
    const started = performance.now();
    const { project_id, sent } = await ingest(tree, service.port);
    const durable = (performance.now() - started) / 1000;
    const [{ indexed, failed }] = await followIndexing(service.port, project_id, started);
    if (indexed + failed !== sent)
      throw new Error(`${indexed} of ${sent} files were indexed, ${failed} failed`);
    const seconds = (performance.now() - started) / 1000;
    const rest = await footprint.atRest();
    for (let at = 0; at < SEARCHES; at++)
      await callTool(service.port, 'search_hybrid', { project_id, query: QUERIES[at % QUERIES.length] });
    const taken = await footprint.stop();
    const mebibytes = (bytes: number) => Math.round(bytes / MEBIBYTE);
    return [
      `${megabytes} MB, ${files.length} files`,
      durable,
      seconds,
      mebibytes(taken.peakMemory),
      mebibytes(rest.memory),
      mebibytes(taken.memory),
      mebibytes(taken.peakDisk),
      mebibytes(rest.disk),
      rest.disk / (megabytes * 1e6),
    ];
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const sizing: Bench = {
  name: 'sizing',
  title: 'Memory and disk by corpus',
  method:
    'The default deployment with the embedded database in a process of its own, with its child process, over source and documentation ' +
    'of the installed packages (repeated with other identifiers where they do not suffice): `service-mcp ingest` until every file is ' +
    `searchable, then until the service rests, then ${SEARCHES} hybrid searches. Memory is the proportional set of all processes together.`,
  async run(report) {
    const loads = [loadavg()[0] ?? 0];
    const rows: (readonly Cell[])[] = [];
    for (const megabytes of SIZES) {
      rows.push(await measure(megabytes));
      loads.push(loadavg()[0] ?? 0);
      report(`${megabytes} MB …`);
    }
    const columns = [
      'text',
      'durable (s)',
      'indexed (s)',
      'peak memory (MiB)',
      'at rest',
      'searched',
      'peak disk (MiB)',
      'at rest',
      'times the text',
    ];
    return {
      tables: [{ caption: 'SQLite, one project a service', columns, rows }],
      reading: [
        `The load of the machine was ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)} on two cores: it lengthens the times, and hardly changes memory and disk.`,
      ],
    };
  },
};
