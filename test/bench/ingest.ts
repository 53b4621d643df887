import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench, Cell } from './bench.js';
import { startServer } from './measure/child.js';
import { copyInto, sourceFiles, type SourceFile } from './measure/corpus.js';
import { untilIndexed } from './measure/rest-client.js';

const FILES = 5000;
const LIMIT_MS = 240_000;
const BINARY = fileURLToPath(new URL('../bin/service-mcp.js', import.meta.resolve('service-mcp')));
const MEBIBYTE = 2 ** 20;

/** The fields of `service-mcp ingest --json` that the benchmark reads. */
interface Summary {
  readonly project_id: string;
  readonly scanned: number;
  readonly sent: number;
  readonly unchanged: number;
  readonly skipped: { readonly total: number };
  readonly rejected: number;
}

async function ingest(tree: string, port: number): Promise<Summary> {
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
    'new service (embedded database, workers inside, in a process of its own): until every file is durable, until every file is ' +
    'searchable in all modes, and a second run over the unchanged tree. The baseline reads and hashes the same files and does nothing else.',
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const [tree, dataDir] = [join(folder, 'tree'), join(folder, 'data')];
    await mkdir(dataDir);
    const files = await sourceFiles(FILES);
    await copyInto(tree, files);
    const service = await startServer('service', dataDir);
    try {
      const size = files.reduce((sum, { bytes }) => sum + bytes, 0) / MEBIBYTE;
      const baseline = await timed(() => readAndHash(files));
      report(`${files.length} files, ${size.toFixed(1)} MiB …`);
      const started = performance.now();
      const durable = await timed(() => ingest(tree, service.port));
      report(`durable after ${durable.seconds.toFixed(1)} s …`);
      const status = await untilIndexed(service.port, durable.value.project_id, LIMIT_MS);
      const indexed = (performance.now() - started) / 1000;
      const usage = await service.usage();
      const again = await timed(() => ingest(tree, service.port));
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
            ],
          },
        ],
        reading: [
          `Accounting: ${scanned} scanned = ${sent} sent + ${unchanged} unchanged + ${skipped.total} skipped + ${rejected} rejected; ` +
            `${status.indexed} indexed, ${status.failed} failed, ${status.pending} pending: ${accounted && whole ? 'every file is accounted for' : 'FILES ARE UNACCOUNTED FOR'}.`,
          `The service held ${Math.round(usage.peakRss / MEBIBYTE)} MiB at its peak and used ${((usage.user + usage.system) / 1e6).toFixed(1)} s of processor.`,
          `The second run sent ${again.value.sent} files and found ${again.value.unchanged} unchanged.`,
        ],
      };
    } finally {
      await service.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};
