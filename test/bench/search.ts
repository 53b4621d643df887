import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Table } from './bench.js';
import { MODES, type SearchFigures } from './measure/search-figures.js';

const SIZES = [5000, 37_600];
/** Settings that the search plugin makes before it loads LanceDB; this process loads it first. */
const LANCE = { LANCEDB_LOG: 'error', LANCE_CPU_THREADS: String(Math.max(8, availableParallelism())) };
const MEBIBYTE = 2 ** 20;

export const search: Bench = {
  name: 'search',
  title: 'Searching beside raw LanceDB',
  method:
    'The four modes over REST, one caller and eight, answered by a service in a process of its own, beside the same query given ' +
    'to LanceDB directly by the measuring process over the same tables: full text over three terms, the exact nearest vectors, ' +
    'both at once, and a scan of the texts of all chunks by a regular expression, ten rows each. The corpus is source and ' +
    'documentation of the installed packages, ingested through files_ingest. 80 queries a cell, in blocks that take turns.',
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const module = fileURLToPath(new URL('measure/search-process.js', import.meta.url));
    const child = fork(module, [dataDir, ...SIZES.map(String)], {
      stdio: 'inherit',
      env: { ...process.env, ...LANCE },
    });
    const found: SearchFigures[] = [];
    child.on('message', (figures: SearchFigures) => {
      report(`${figures.chunks} chunks measured …`);
      found.push(figures);
    });
    try {
      const [code] = (await once(child, 'exit')) as [number];
      if (code !== 0) throw new Error(`the process of the search benchmark ended with ${code}`);
    } finally {
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
    return { tables: found.map(tableOf), reading: found.flatMap(readingOf) };
  },
};

function tableOf({ chunks, files, rss, rows }: SearchFigures): Table {
  return {
    caption: `${chunks.toLocaleString('en-US')} chunks of ${files.toLocaleString('en-US')} files, ${Math.round(rss / MEBIBYTE)} MiB resident (milliseconds)`,
    columns: ['mode', 'at once', 'p50', 'p95', 'raw p50', 'raw p95', 'p50 ours / raw'],
    rows: rows.map(({ mode, concurrency, ours, raw }) => [
      mode,
      concurrency,
      ours.p50,
      ours.p95,
      raw.p50,
      raw.p95,
      ours.p50 / raw.p50,
    ]),
  };
}

function readingOf({ chunks, trained, rows }: SearchFigures): string[] {
  const cells = MODES.map((mode) => {
    const alone = rows.find((row) => row.mode === mode && row.concurrency === 1);
    return `${mode} ${alone ? (alone.ours.p50 - alone.raw.p50).toFixed(1) : '?'} ms`;
  });
  return [
    `At ${chunks.toLocaleString('en-US')} chunks a search costs this much more than its raw query, at the median and alone: ${cells.join(', ')}.`,
    ...(trained
      ? []
      : [
          `At ${chunks.toLocaleString('en-US')} chunks the embedder was still untrained or training, which disturbs the figures.`,
        ]),
  ];
}
