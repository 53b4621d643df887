import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from './bench.js';
import { startServer } from './measure/child.js';
import { sourceFiles } from './measure/corpus.js';
import { callTool, SearchClient, untilIndexed } from './measure/rest-client.js';
import { quantile } from './measure/stats.js';

const READERS = 30;
const WRITERS = 6;
const FILES = 1500;
const BATCH = 250;
/** Between two files of a writer. */
const PAUSE_MS = 500;
const MODES = ['hybrid', 'keyword', 'semantic', 'pattern'] as const;
const INDEX_LIMIT_MS = 300_000;
const MEBIBYTE = 2 ** 20;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 300);

interface Figures {
  readonly times: Record<(typeof MODES)[number], number[]>;
  errors: number;
  written: number;
}

export const load: Bench = {
  name: 'load',
  title: 'Readers and writers at once',
  method:
    `${READERS} readers and ${WRITERS} writers over REST for ${SECONDS} s (BENCH_SECONDS), on one workspace of ${FILES.toLocaleString('en-US')} files, ` +
    `with the service in a process of its own. A reader sends one search after the other, the four modes in turn, three words of a file or one ` +
    `of them as an expression; a writer sends a changed file every ${PAUSE_MS} ms.`,
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startServer('service', dataDir, 'child');
    const client = new SearchClient(service.port);
    try {
      const files = await Promise.all(
        (await sourceFiles(FILES, 3000)).map(async ({ path, from }) => ({
          path,
          content: await readFile(from, 'utf8'),
        })),
      );
      const { workspace_id, project_id } = await ingest(service.port, files);
      report('indexed …');
      const queries = files.flatMap(({ content }) => {
        const words = [...new Set(content.match(/\b[a-z]{5,9}\b/g))].slice(3, 6);
        return words.length === 3 ? [words] : [];
      });
      const figures: Figures = {
        times: { hybrid: [], keyword: [], semantic: [], pattern: [] },
        errors: 0,
        written: 0,
      };
      const until = performance.now() + SECONDS * 1000;
      const counted = (work: Promise<unknown>) => work.catch(() => figures.errors++);
      const reader = async (_none: unknown, lane: number) => {
        for (let turn = lane; performance.now() < until; turn += READERS + 1) {
          const mode = MODES[turn % MODES.length]!;
          const words = queries[turn % queries.length]!;
          const query = mode === 'pattern' ? String.raw`\b${words[0]!}\w*\(` : words.join(' ');
          const started = performance.now();
          await counted(client.search(mode, { workspace_id, query }));
          figures.times[mode].push(performance.now() - started);
        }
      };
      const writer = async (_none: unknown, lane: number) => {
        for (let turn = lane; performance.now() < until; turn += WRITERS) {
          const { path, content } = files[turn % files.length]!;
          const changed = [{ path, content: `${content}\n// change ${turn}\n` }];
          await counted(callTool(service.port, 'files_ingest', { project_id, files: changed }));
          figures.written++;
          await delay(PAUSE_MS);
        }
      };
      const resident: number[] = [];
      const watch = async () => {
        for (let i = 0; i < 3; i++) {
          if (i > 0) await delay(SECONDS * 500);
          resident.push(Math.round((await service.usage()).rss / MEBIBYTE));
        }
      };
      const lanes = [...Array.from({ length: READERS }, reader), ...Array.from({ length: WRITERS }, writer)];
      await Promise.all([...lanes, watch()]);
      return outcomeOf(figures, resident);
    } finally {
      client.close();
      await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

async function ingest(port: number, files: readonly { path: string; content: string }[]) {
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

function outcomeOf({ times, errors, written }: Figures, resident: readonly number[]) {
  const row = (name: string, some: readonly number[]) => [
    name,
    some.length / SECONDS,
    quantile(some, 0.5),
    quantile(some, 0.95),
  ];
  const all = MODES.flatMap((mode) => times[mode]);
  return {
    tables: [
      {
        caption: 'Searches (milliseconds)',
        columns: ['mode', 'a second', 'p50', 'p95'],
        rows: [...MODES.map((mode) => row(mode, times[mode])), row('all', all)],
      },
    ],
    reading: [
      `${errors} errors in ${all.length} searches and ${written} writes.`,
      `Resident at the start, in the middle and at the end: ${resident.join(', ')} MiB.`,
    ],
  };
}
