import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Cell, Table } from './bench.js';
import { startServer, startServerOf, type ServerProcess } from './measure/child.js';
import { sourceFiles } from './measure/corpus.js';
import { sampleMemory, type MemorySample } from './measure/memory-samples.js';
import { callTool, SearchClient, untilIndexed } from './measure/rest-client.js';
import { median, quantile } from './measure/stats.js';

const READERS = 30;
const WRITERS = 6;
const FILES = Number(process.env['BENCH_FILES'] ?? 1500);
const BATCH = 250;
/** Between two files of a writer. */
const PAUSE_MS = 500;
const MODES = ['hybrid', 'keyword', 'semantic', 'pattern'] as const;
const INDEX_LIMIT_MS = 900_000;
const SHOWN_ERRORS = 3;
const MINUTES = Number(process.env['BENCH_MINUTES'] ?? 5);
/** The run is shown in parts of ten minutes, a short one in five parts. */
const PART_MINUTES = Math.min(10, MINUTES / 5);
const BASE = process.env['BENCH_BASE'];

interface SourceText {
  readonly path: string;
  readonly content: string;
}
interface Search {
  readonly mode: (typeof MODES)[number];
  /** When it ended, in minutes from the start. */
  readonly at: number;
  readonly ms: number;
}
interface Figures {
  readonly version: string;
  readonly searches: Search[];
  readonly errors: string[];
  readonly memory: MemorySample[];
  written: number;
}

export const load: Bench = {
  name: 'load',
  title: 'Readers and writers at once',
  method:
    `${READERS} readers and ${WRITERS} writers over REST for ${MINUTES} minutes (BENCH_MINUTES), on one workspace of ${FILES.toLocaleString('en-US')} files (BENCH_FILES), ` +
    `with the service in a process of its own. A reader sends one search after the other, the four modes in turn, three words of a file or one ` +
    `of them as an expression; a writer sends a changed file every ${PAUSE_MS} ms. With BENCH_BASE, the folder of another built checkout, its service runs first.`,
  async run(report) {
    const files = await Promise.all(
      (await sourceFiles(FILES, 3000)).map(async ({ path, from }) => ({
        path,
        content: await readFile(from, 'utf8'),
      })),
    );
    const runs: Figures[] = [];
    if (BASE !== undefined) {
      const start = (dataDir: string) => startServerOf(BASE, 'service', dataDir, 'child');
      runs.push(await measure('before', start, files, report));
    }
    const start = (dataDir: string) => startServer('service', dataDir, 'child');
    runs.push(await measure(BASE === undefined ? 'this' : 'after', start, files, report));
    return {
      tables: [searchTable(runs), ...runs.map(partTable)],
      reading: runs.flatMap(readingOf),
    };
  },
};

/** Runs readers and writers against a new service. */
async function measure(
  version: string,
  start: (dataDir: string) => Promise<ServerProcess>,
  files: readonly SourceText[],
  report: (line: string) => void,
): Promise<Figures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
  const service = await start(dataDir);
  const client = new SearchClient(service.port);
  try {
    const { workspace_id, project_id } = await ingest(service.port, files);
    report(`${version}: indexed …`);
    const queries = files.flatMap(({ content }) => {
      const words = [...new Set(content.match(/\b[a-z]{5,9}\b/g))].slice(3, 6);
      return words.length === 3 ? [words] : [];
    });
    const figures: Figures = { version, searches: [], errors: [], memory: [], written: 0 };
    const startedAt = performance.now();
    const minutes = () => (performance.now() - startedAt) / 60_000;
    const counted = (work: Promise<unknown>) =>
      work.catch((error: unknown) => void figures.errors.push(String(error)));
    const reader = async (_none: unknown, lane: number) => {
      for (let turn = lane; minutes() < MINUTES; turn += READERS + 1) {
        const mode = MODES[turn % MODES.length]!;
        const words = queries[turn % queries.length]!;
        const query = mode === 'pattern' ? String.raw`\b${words[0]!}\w*\(` : words.join(' ');
        const sentAt = performance.now();
        await counted(client.search(mode, { workspace_id, query }));
        figures.searches.push({ mode, at: minutes(), ms: performance.now() - sentAt });
      }
    };
    const writer = async (_none: unknown, lane: number) => {
      for (let turn = lane; minutes() < MINUTES; turn += WRITERS) {
        const { path, content } = files[turn % files.length]!;
        const changed = [{ path, content: `${content}\n// change ${turn}\n` }];
        await counted(callTool(service.port, 'files_ingest', { project_id, files: changed }));
        figures.written++;
        await delay(PAUSE_MS);
      }
    };
    const watch = async () => {
      for (let part = 1; minutes() < MINUTES;) {
        figures.memory.push(await sampleMemory(service.port, minutes()));
        if (minutes() >= part * PART_MINUTES)
          report(
            `${version}: ${partRow(figures, part++ - 1)
              .map(String)
              .join(' | ')}`,
          );
        await delay(Math.min(5_000, PART_MINUTES * 6_000));
      }
    };
    const lanes = [...Array.from({ length: READERS }, reader), ...Array.from({ length: WRITERS }, writer)];
    await Promise.all([...lanes, watch()]);
    return figures;
  } finally {
    client.close();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function ingest(port: number, files: readonly SourceText[]) {
  const { id: workspace_id } = await callTool<{ id: string }>(port, 'workspaces_create', { name: 'load' });
  const { id: project_id } = await callTool<{ id: string }>(port, 'projects_create', {
    workspace_id,
    name: 'load',
  });
  for (let at = 0; at < files.length; at += BATCH)
    await callTool(port, 'files_ingest', { project_id, files: files.slice(at, at + BATCH) });
  await untilIndexed(port, project_id, INDEX_LIMIT_MS);
  return { workspace_id, project_id };
}

/** How many a second, and the quantiles of their milliseconds. */
function timesOf(searches: readonly Search[], minutes: number): Cell[] {
  const ms = searches.map((search) => search.ms);
  return [
    ms.length / (60 * minutes),
    ...[0.5, 0.95, 0.99].map((q) => (ms.length > 0 ? quantile(ms, q) : '–')),
  ];
}

function searchTable(runs: readonly Figures[]): Table {
  const rows = runs.flatMap(({ version, searches }) => [
    ...MODES.map((mode) => [
      version,
      mode,
      ...timesOf(
        searches.filter((search) => search.mode === mode),
        MINUTES,
      ),
    ]),
    [version, 'all', ...timesOf(searches, MINUTES)],
  ]);
  const columns = ['version', 'mode', 'a second', 'p50', 'p95', 'p99'];
  return { caption: 'Searches (milliseconds)', columns, rows };
}

/** One part of a run, from zero. */
function partRow({ searches, memory }: Figures, part: number): Cell[] {
  const isInside = ({ at }: { readonly at: number }) => Math.floor(at / PART_MINUTES) === part;
  const samples = memory.filter(isInside);
  const middle = (key: 'resident' | 'heap' | 'child') =>
    samples.length > 0 ? Math.round(median(samples.map((sample) => sample[key]))) : '–';
  return [
    `to ${Number(((part + 1) * PART_MINUTES).toFixed(2))} min`,
    ...timesOf(searches.filter(isInside), PART_MINUTES),
    middle('resident'),
    middle('heap'),
    middle('child'),
  ];
}

function partTable(figures: Figures): Table {
  const parts = Math.ceil(MINUTES / PART_MINUTES);
  return {
    caption: `Over time, ${figures.version} (all searches in milliseconds; medians of memory in MiB)`,
    columns: ['part', 'a second', 'p50', 'p95', 'p99', 'resident', 'of it JavaScript', 'child process'],
    rows: Array.from({ length: parts }, (_none, part) => partRow(figures, part)),
  };
}

function readingOf(figures: Figures): string[] {
  const { version, searches, errors, memory, written } = figures;
  const within = (from: number, to: number) =>
    median(memory.filter(({ at }) => at >= from && at < to).map(({ resident }) => resident));
  const first = within(0, PART_MINUTES);
  const last = within(MINUTES - PART_MINUTES, Infinity);
  const change = Math.round((last / first - 1) * 100);
  return [
    `${version}: ${errors.length} errors in ${searches.length} searches and ${written} writes.`,
    ...[...new Set(errors)].slice(0, SHOWN_ERRORS),
    `${version}: resident in the first and in the last part: ${Math.round(first)} and ${Math.round(last)} MiB (${change >= 0 ? '+' : ''}${change} %); ` +
      `at most ${Math.round(Math.max(...memory.map(({ resident }) => resident)))} MiB.`,
  ];
}
