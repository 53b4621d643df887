import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Cell } from './bench.js';
import { startServer, type ServerProcess } from './measure/child.js';
import { sourceFiles } from './measure/corpus.js';
import { paragraphs, titleOf } from './measure/memory-texts.js';
import { callTool, untilIndexed } from './measure/rest-client.js';
import { quantile } from './measure/stats.js';

const CHUNKS = Number(process.env['BENCH_CHUNKS'] ?? 100_000);
/** A folder that is filled once and measured again: filling takes most of the time. */
const FOLDER = process.env['BENCH_CONTEXT_FOLDER'];
const MEMORIES = 1000;
const FILES_A_PROJECT = 4000;
const BATCH_FILES = 250;
const QUERIES = 120;
const BLOCK = 10;
const INDEXING_LIMIT_MS = 3_600_000;
const TRAINING_LIMIT_MS = 1_800_000;

interface Filled {
  readonly workspace_id: string;
  readonly chunks: number;
  readonly queries: readonly string[];
}

/** What is compared, the measure of the others first. */
const WAYS: ReadonlyArray<{ readonly name: string; readonly tool: string; readonly args: object }> = [
  { name: 'search_hybrid', tool: 'search_hybrid', args: {} },
  { name: 'context, fast', tool: 'context', args: { mode: 'fast' } },
  { name: 'context, standard', tool: 'context', args: { mode: 'standard' } },
  { name: 'context, pack', tool: 'context', args: { mode: 'pack' } },
  { name: 'ai_context', tool: 'ai_context', args: {} },
  { name: 'ai_enhanced_context', tool: 'ai_enhanced_context', args: {} },
];

export const contextLatency: Bench = {
  name: 'context-latency',
  title: 'Context beside one search',
  method:
    `One workspace of ${CHUNKS.toLocaleString('en-US')} chunks (BENCH_CHUNKS) of the source and documentation of the installed packages, in projects of ${FILES_A_PROJECT.toLocaleString('en-US')} files with their code graphs, ` +
    `and ${MEMORIES.toLocaleString('en-US')} memories, in one service: ${QUERIES} queries of four words of a text, one caller, the ways in blocks that take turns. ` +
    '`BENCH_CONTEXT_FOLDER` keeps the workspace for the next run.',
  async run(report) {
    const dataDir = FOLDER ?? (await mkdtemp(join(tmpdir(), 'service-mcp-bench-')));
    const note = join(dataDir, 'filled.json');
    let service = await startServer('service', dataDir, 'child');
    try {
      const known = await readFile(note, 'utf8').catch(() => undefined);
      const filled = known ? (JSON.parse(known) as Filled) : await fill(service.port, report);
      await writeFile(note, JSON.stringify(filled));
      // The indexing process ends when it has trained and compacted what there is.
      await until(TRAINING_LIMIT_MS, async () => (await service.usage()).workers === 0);
      report('trained and compacted …');
      await service.stop(); // what an ingest leaves in memory does not count
      service = await startServer('service', dataDir, 'child');
      await until(INDEXING_LIMIT_MS, () => answers(service.port, filled));
      const rows = await measure(service, filled);
      const [load = 0] = loadavg();
      return {
        tables: [
          {
            caption: `${filled.chunks.toLocaleString('en-US')} chunks (milliseconds; processor: of the service, a call)`,
            columns: [
              'call',
              'p50',
              'p95',
              'processor',
              'p50 / search',
              'p95 / search',
              'processor / search',
            ],
            rows,
          },
        ],
        reading: [
          'A call of search_hybrid is the measure: fast is to cost less, standard at most three times as much.',
          `Afterwards ${load.toFixed(1)} processes were running or waiting for ${availableParallelism()} processors: alone it is 1.`,
        ],
      };
    } finally {
      await service.stop();
      if (FOLDER === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

/** Ingests files until the workspace has enough chunks, then stores memories, and waits until all can be found. */
async function fill(port: number, report: (line: string) => void): Promise<Filled> {
  const { id: workspace_id } = await callTool<{ id: string }>(port, 'workspaces_create', { name: 'bench' });
  const files = await sourceFiles(30_000);
  const queries: string[] = [];
  let [chunks, at] = [0, 0];
  while (chunks < CHUNKS) {
    const copy = Math.floor(at / files.length);
    const name = `project ${at / FILES_A_PROJECT}`;
    const { id: project_id } = await callTool<{ id: string }>(port, 'projects_create', {
      workspace_id,
      name,
    });
    for (const end = at + FILES_A_PROJECT; at < end; at += BATCH_FILES) {
      const batch = Array.from({ length: BATCH_FILES }, async (_none, of) => {
        const { path, from } = files[(at + of) % files.length]!;
        return { path, content: renamed(await readFile(from, 'utf8'), copy) };
      });
      const sent = await Promise.all(batch);
      await callTool(port, 'files_ingest', { project_id, files: sent });
      queries.push(...sent.slice(0, 10).flatMap(({ content }) => queryOf(content)));
    }
    await untilIndexed(port, project_id, INDEXING_LIMIT_MS);
    ({ chunks } = (
      await callTool<{ counts: { chunks: number } }>(port, 'workspaces_overview', { workspace_id })
    ).counts);
    report(`${chunks} chunks of ${at} files …`);
  }
  for (const [index, content] of (await paragraphs(MEMORIES)).entries()) {
    const node_type = index % 5 === 0 ? 'decision' : 'fact';
    const node = { workspace_id, node_type, title: titleOf(content), content };
    await callTool(port, 'memory_create_node', node);
  }
  await until(INDEXING_LIMIT_MS, async () => {
    const pending = { workspace_id, indexing_status: 'pending', per_page: 1 };
    return (await callTool<{ total: number }>(port, 'memory_list_nodes', pending)).total === 0;
  });
  const step = Math.max(1, Math.floor(queries.length / QUERIES));
  return { workspace_id, chunks, queries: queries.filter((_each, n) => n % step === 0).slice(0, QUERIES) };
}

/** Copies have identifiers of their own, so that their texts differ. */
function renamed(text: string, copy: number): string {
  return copy === 0 ? text : text.replaceAll(/\b[A-Za-z]+[A-Z_]\w*\b/g, (name) => `${name}V${copy}`);
}

function queryOf(text: string): string[] {
  const words = [...new Set(text.match(/\b[a-z]{4,12}\b/g))].slice(8, 12);
  return words.length === 4 ? [words.join(' ')] : [];
}

async function until(limitMs: number, isDone: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + limitMs; !(await isDone()); await delay(2000))
    if (Date.now() > end) throw new Error(`the workspace was not ready after ${limitMs / 60_000} minutes`);
}

/** True once each way has answered: a service that has just started reads tables and graphs first. */
async function answers(port: number, { workspace_id, queries: [query] }: Filled): Promise<boolean> {
  const asked = WAYS.map(({ tool, args }) => callTool(port, tool, { ...args, workspace_id, query }));
  return (await Promise.allSettled(asked)).every(({ status }) => status === 'fulfilled');
}

/** Latencies and processor time of each way over the same queries; another way begins each round. */
async function measure(
  service: ServerProcess,
  { workspace_id, queries }: Pick<Filled, 'workspace_id' | 'queries'>,
): Promise<Cell[][]> {
  const times = WAYS.map((): number[] => []);
  const processor = WAYS.map(() => 0);
  const spent = async () => {
    const { user, system } = await service.usage();
    return (user + system) / 1000;
  };
  for (let from = -BLOCK; from < queries.length; from += BLOCK) {
    const some = queries.slice(Math.max(0, from), Math.max(0, from) + BLOCK);
    for (let turn = 0; turn < WAYS.length; turn++) {
      const way = (turn + Math.max(0, from) / BLOCK) % WAYS.length;
      const { tool, args } = WAYS[way]!;
      const before = await spent();
      for (const query of some) {
        const started = performance.now();
        await callTool(service.port, tool, { ...args, workspace_id, query });
        if (from >= 0) times[way]!.push(performance.now() - started);
      }
      if (from >= 0) processor[way]! += (await spent()) - before;
    }
  }
  const figures = WAYS.map((_way, at) => [
    quantile(times[at]!, 0.5),
    quantile(times[at]!, 0.95),
    processor[at]! / queries.length,
  ]);
  return WAYS.map(({ name }, at) => [
    name,
    ...figures[at]!,
    ...figures[at]!.map((figure, column) => figure / figures[0]![column]!),
  ]);
}
