import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Bench, Cell } from './bench.js';
import { startServer } from './measure/child.js';
import { copyInto, sourceFiles, type SourceFile } from './measure/corpus.js';
import { watchFootprint } from './measure/footprint.js';
import { writeLargeTree } from './measure/large-tree.js';
import { callTool, type IndexStatus } from './measure/rest-client.js';

const FILES = 5000;
/** The tree is made this large from all installed packages, whose sources are repeated with other identifiers. */
const TREE_MB = Number(process.env['BENCH_TREE_MB'] ?? 0);
const SEED_FILES = 150;
const LIMIT_MS = 600_000;
const POLL_MS = 250;
const BINARY = fileURLToPath(new URL('../bin/service-mcp.js', import.meta.resolve('service-mcp')));
const MEBIBYTE = 2 ** 20;
/** The second needs the first. */
const GRAPH_PLUGINS = ['@service-mcp/plugin-graph', '@service-mcp/plugin-ai'];

/** The fields of `service-mcp ingest --json` that the benchmark reads. */
interface Summary {
  readonly project_id: string;
  readonly scanned: number;
  readonly sent: number;
  readonly unchanged: number;
  readonly skipped: { readonly total: number };
  readonly rejected: number;
}

/** Sends a tree to a service; its files are durable then, and not yet indexed. */
export async function ingest(tree: string, port: number): Promise<Summary> {
  const url = `http://127.0.0.1:${port}`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    BINARY,
    'ingest',
    tree,
    '--no-wait',
    '--json',
    '--url',
    url,
  ]);
  return JSON.parse(stdout) as Summary;
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; seconds: number }> {
  const started = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - started) / 1000 };
}

/** Ingests a few files and waits until the embedder of the workspace is trained. */
async function train(folder: string, port: number): Promise<void> {
  await copyInto(folder, await sourceFiles(SEED_FILES));
  const { project_id } = await ingest(folder, port);
  for (const until = Date.now() + LIMIT_MS; Date.now() < until;) {
    const found = await callTool<{ warnings: unknown[] }>(port, 'search_semantic', {
      query: 'read a file',
      project_id,
    });
    if (found.warnings.length === 0) return;
    await delay(POLL_MS);
  }
  throw new Error('no embedder was trained');
}

/** Files indexed, by seconds since the start. */
type Progress = readonly (readonly [seconds: number, indexed: number])[];

/** Waits until nothing of a project is pending. */
export async function followIndexing(
  port: number,
  project_id: string,
  started: number,
): Promise<[IndexStatus, Progress]> {
  const progress: [number, number][] = [[0, 0]];
  for (const until = Date.now() + LIMIT_MS; Date.now() < until;) {
    const status = await callTool<IndexStatus>(port, 'projects_index_status', { project_id });
    const done = status.indexed + status.failed;
    if (done > (progress.at(-1)?.[1] ?? 0)) progress.push([(performance.now() - started) / 1000, done]);
    if (status.pending === 0 && done > 0) return [status, progress];
    await delay(POLL_MS);
  }
  throw new Error('indexing did not end');
}

/** Seconds from the first moment that `from` files were indexed to that of `to` files, interpolated. */
function secondsBetween(progress: Progress, from: number, to: number): number {
  const at = (files: number): number => {
    const i = Math.max(
      1,
      progress.findIndex(([, indexed]) => indexed >= files),
    );
    const [[t0, n0], [t1, n1]] = [progress[i - 1] ?? [0, 0], progress[i] ?? [0, 1]];
    return t0 + ((t1 - t0) * (files - n0)) / Math.max(1, n1 - n0);
  };
  return at(to) - at(from);
}

/** Seconds until a tree is searchable in all modes, by a service that has no code graph. */
async function searchable(tree: string, dataDir: string): Promise<number> {
  const service = await startServer('service', dataDir, 'child', 'local', ...GRAPH_PLUGINS);
  try {
    const started = performance.now();
    const { project_id } = await ingest(tree, service.port);
    await followIndexing(service.port, project_id, started);
    return (performance.now() - started) / 1000;
  } finally {
    await service.stop();
  }
}

/** The least work of any ingest: each file read and hashed, one after the other. */
async function readAndHash(files: readonly SourceFile[]): Promise<void> {
  for (const { from } of files)
    createHash('sha256')
      .update(await readFile(from))
      .digest();
}

export const ingestRate: Bench = {
  name: 'ingest',
  title: 'Ingesting a source tree',
  method:
    `\`service-mcp ingest\` of ${FILES.toLocaleString('en-US')} source and documentation files of the installed packages into a ` +
    'new service (embedded database, in a process of its own, with its child process for background work): until every file is durable, until every file is ' +
    'searchable in all modes and in the code graph, and a second run over the unchanged tree; then into a service without the plugins of the graph, until every file is searchable in all modes. The baseline reads and hashes the same files and does nothing else.',
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const [tree, dataDir] = [join(folder, 'tree'), join(folder, 'data')];
    const service = await startServer('service', dataDir, 'child');
    try {
      if (TREE_MB > 0) await train(join(folder, 'seed'), service.port);
      const sources = await sourceFiles(TREE_MB > 0 ? Infinity : FILES);
      if (TREE_MB === 0) await copyInto(tree, sources);
      const files = TREE_MB > 0 ? await writeLargeTree(tree, sources, TREE_MB * 1e6) : sources;
      const footprint = watchFootprint(dataDir, service.pid);
      const size = files.reduce((sum, { bytes }) => sum + bytes, 0) / MEBIBYTE;
      const baseline = await timed(() => readAndHash(files));
      report(`${files.length} files, ${size.toFixed(1)} MiB …`);
      const started = performance.now();
      const durable = await timed(() => ingest(tree, service.port));
      report(`durable after ${durable.seconds.toFixed(1)} s …`);
      const [status, progress] = await followIndexing(service.port, durable.value.project_id, started);
      const indexed = (performance.now() - started) / 1000;
      const usage = await service.usage();
      const again = await timed(() => ingest(tree, service.port));
      await footprint.atRest();
      const taken = await footprint.stop();
      const alone = await searchable(tree, join(folder, 'search-alone'));
      const done = status.indexed + status.failed;
      const tenth = Math.floor(done / 10);
      const rate = (from: number, to: number): string => {
        const seconds = secondsBetween(progress, from, to);
        return `${((size * MEBIBYTE * (to - from)) / files.length / 1e6 / seconds).toFixed(2)} MB/s, ${Math.round((to - from) / seconds)} files/s`;
      };
      const times = (bytes: number): string => `${(bytes / MEBIBYTE / size).toFixed(1)} times the text`;
      const row = (name: string, seconds: number): Cell[] => [
        name,
        seconds,
        Math.round(files.length / seconds),
        size / seconds,
        seconds / baseline.seconds,
      ];
      const { scanned, sent, unchanged, skipped, rejected } = durable.value;
      const accounted = scanned === files.length && scanned === sent + unchanged + skipped.total + rejected;
      const whole = sent === status.indexed + status.failed;
      return {
        tables: [
          {
            caption: `${files.length.toLocaleString('en-US')} files, ${size.toFixed(1)} MiB`,
            columns: ['step', 'seconds', 'files/s', 'MiB/s', 'times the baseline'],
            rows: [
              row('read and hash (baseline)', baseline.seconds),
              row('until durable', durable.seconds),
              row('until indexed', indexed),
              row('again, unchanged', again.seconds),
              row('until indexed, without the graph', alone),
            ],
          },
        ],
        reading: [
          `Accounting: ${scanned} scanned = ${sent} sent + ${unchanged} unchanged + ${skipped.total} skipped + ${rejected} rejected; ` +
            `${status.indexed} indexed, ${status.failed} failed, ${status.pending} pending: ${accounted && whole ? 'every file is accounted for' : 'FILES ARE UNACCOUNTED FOR'}.`,
          `The service held ${Math.round(usage.peakRss / MEBIBYTE)} MiB at its peak and used ${((usage.user + usage.system) / 1e6).toFixed(1)} s of processor.`,
          `First tenth: ${rate(0, tenth)}; last tenth: ${rate(done - tenth, done)}.`,
          `On disk: ${times(taken.peakDisk)} at the peak, ${times(taken.disk)} at rest. All processes together held ${Math.round(taken.peakMemory / MEBIBYTE)} MiB at their peak and ${Math.round(taken.memory / MEBIBYTE)} MiB at rest. The loop of the service stalled for ${Math.round(usage.longestStallMs)} ms at most.`,
          `The second run sent ${again.value.sent} files and found ${again.value.unchanged} unchanged.`,
        ],
      };
    } finally {
      await service.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};
