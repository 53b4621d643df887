import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadDeployment, start } from '@service-mcp/core/host';
import { sourceFiles, type SourceFile } from './corpus.js';
import type { PatternFigures, PatternRow } from './pattern-figures.js';
import { PATTERN_QUERIES, type PatternQuery } from './pattern-queries.js';
import { ripgrepCount, ripgrepLines } from './ripgrep.js';
import { median } from './stats.js';

/** The pattern mode beside ripgrep over the same files, in this one process; the figures of each size go to the parent. */

const BATCH_FILES = 250;
const RUNS = 5;
const PAGE = 100;
/** The results that pages reach. */
const MAX_RESULTS = 1000;
/** After it, written rows are compacted and segments merged. */
const QUIET_MS = 10_000;

interface Answer {
  readonly results: ReadonlyArray<{
    readonly path: string;
    readonly highlights: ReadonlyArray<{ readonly line: number }>;
  }>;
  readonly total: number;
  readonly has_more: boolean;
}

const [dataDir = '', ...sizes] = process.argv.slice(2);
const files = join(dataDir, 'files');
const deployment = join(dataDir, 'deployment.json');
const local = fileURLToPath(new URL('../../../../deploy/local.json', import.meta.url));
const SETTINGS = { training: false, pattern_timeout_ms: 60_000 };
await writeFile(
  deployment,
  JSON.stringify({ ...JSON.parse(await readFile(local, 'utf8')), search: SETTINGS }),
);
const loaded = await loadDeployment({
  file: deployment,
  env: { ...process.env, SERVICE_LOG_LEVEL: 'error' },
  overrides: { dataDir },
  resolveFrom: fileURLToPath(import.meta.url),
});
const host = await start(loaded, { listen: false });

async function call<T>(tool: string, args: object): Promise<T> {
  const result = await host.catalog.call(tool, { ...args }, host.call());
  if (result.kind !== 'complete') throw new Error(`${tool} asks for input`);
  return result.structured as T; // the benchmark says what it expects
}

const workspace = await call<{ id: string }>('workspaces_create', { name: 'bench' });
const project = await call<{ id: string }>('projects_create', { workspace_id: workspace.id, name: 'bench' });
const corpus = await sourceFiles(Number.POSITIVE_INFINITY);
let taken = 0;
let bytes = 0;

/** The next file of the corpus; after the last, the first again, with other identifiers. */
async function nextFile(): Promise<{ path: string; content: string }> {
  const round = Math.floor(taken / corpus.length);
  const { path, from } = corpus[taken++ % corpus.length] as SourceFile;
  const text = await readFile(from, 'utf8');
  const content = round === 0 ? text : text.replaceAll(/\b[A-Za-z_]{8,}\b/gu, (word) => `${word}${round}`);
  return { path: round === 0 ? path : `round-${round}/${path}`, content };
}

/** Ingests until the index holds so many chunks, and writes the same files to disk. */
async function growTo(chunks: number): Promise<number> {
  for (;;) {
    const batch = await Promise.all(Array.from({ length: BATCH_FILES }, nextFile));
    const sent = await call<{ rejected: ReadonlyArray<{ path: string }> }>('files_ingest', {
      project_id: project.id,
      files: batch,
    });
    const rejected = new Set(sent.rejected.map(({ path }) => path));
    for (const { path, content } of batch) {
      if (rejected.has(path)) continue;
      await mkdir(dirname(join(files, path)), { recursive: true });
      await writeFile(join(files, path), content);
      bytes += Buffer.byteLength(content);
    }
    while ((await call<{ pending: number }>('projects_index_status', { project_id: project.id })).pending > 0)
      await delay(50);
    const [row] = await host.database.sql<{ chunks: number }>('search_indexes').select('chunks');
    if (row && row.chunks >= chunks) return row.chunks;
  }
}

function search(
  { query, ignoreCase = false, wholeWord = false }: PatternQuery,
  more: object,
): Promise<Answer> {
  const options = { case_sensitive: !ignoreCase, whole_word: wholeWord };
  return call('search_pattern', { workspace_id: workspace.id, query, ...options, ...more });
}

/** Every matching line as `path:line`, page by page; undefined where pages do not reach all. */
async function ourLines(query: PatternQuery): Promise<Set<string> | undefined> {
  const lines = new Set<string>();
  for (let offset = 0; offset <= MAX_RESULTS; offset += PAGE) {
    const { results, has_more } = await search(query, { limit: PAGE, offset });
    for (const { path, highlights } of results)
      for (const { line } of highlights) lines.add(`${path}:${line}`);
    if (!has_more) return lines;
  }
  return undefined;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Both in turn; the first run of each is a warm-up. What has more results than pages reach is counted by both. */
async function measure(query: PatternQuery): Promise<PatternRow> {
  const found = await ourLines(query);
  const lines = await ripgrepLines(files, query);
  const ours: number[] = [];
  const ripgrep: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const own = await timed(() => (found ? ourLines(query) : search(query, { output_format: 'count' })));
    const other = await timed(() => (found ? ripgrepLines(files, query) : ripgrepCount(files, query)));
    ours.push(own);
    ripgrep.push(other);
  }
  const own = found ? [...found] : [String((await search(query, { output_format: 'count' })).total)];
  const other = new Set(found ? lines : [String(await ripgrepCount(files, query))]);
  const differ = own.filter((line) => !other.delete(line)).concat([...other]);
  if (differ.length > 0) process.stderr.write(`${query.query}: ${differ.slice(0, 4).join(', ')} …\n`);
  const same = differ.length === 0;
  const { selectivity } = query;
  return {
    query: query.query,
    selectivity,
    lines: lines.length,
    ours: median(ours),
    ripgrep: median(ripgrep),
    same,
  };
}

for (const size of sizes.map(Number)) {
  const chunks = await growTo(size);
  await delay(QUIET_MS);
  const rows: PatternRow[] = [];
  for (const query of PATTERN_QUERIES) rows.push(await measure(query));
  const segments: Array<{ bytes: number }> = await host.database
    .sql('search_segments')
    .where({ expires_at: '' });
  const indexBytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  const figures: PatternFigures = {
    chunks,
    files: taken,
    bytes,
    segments: segments.length,
    indexBytes,
    rows,
  };
  process.send?.(figures);
}
await host.stop();
process.disconnect?.();
