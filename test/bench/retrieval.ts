import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Cell } from './bench.js';
import { startServer } from './measure/child.js';
import { callTool, untilIndexed } from './measure/rest-client.js';

const MODES = ['keyword', 'semantic', 'hybrid'] as const;
const BATCH = 500;
const LIMIT_MS = 180_000;
const DEPTH = 10;
/** BM25 without and with analysis, as measured in prototypes over the same set (MRR was not). */
const KNOWN: readonly Cell[][] = [
  ['BM25 without analysis (known)', '', 29.6, 45.4],
  ['BM25 with stop words, stemming, split identifiers (known)', '', 40.1, 59.0],
];

interface Query {
  readonly doc: string;
  readonly retrieval_idx: number;
}

interface Answer {
  readonly results: readonly { readonly path: string }[];
  readonly warnings: readonly string[];
}

export const retrieval: Bench = {
  name: 'retrieval',
  title: 'Retrieval quality on CoSQA',
  method:
    'The 6,267 Python functions of CoSQA (Jun-jie-Huang/CoCLR, C-UDA), each ingested as a file into one workspace through the ' +
    'tools, and its 500 web queries; each query has one right function. Scores in percent over the first ten files.',
  skip: () =>
    process.env['BENCH_DATA']
      ? undefined
      : 'set BENCH_DATA to a folder with retrieval/cosqa-code.json and retrieval/cosqa-dev-queries.json, made from ' +
        'code_idx_map.txt and cosqa-retrieval-dev-500.json in data/search of the repository Jun-jie-Huang/CoCLR.',
  async run(report) {
    const code = (await read('cosqa-code.json')) as Record<string, number>;
    const queries = (await read('cosqa-dev-queries.json')) as Query[];
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startServer('service', dataDir);
    try {
      const { port } = service;
      const started = performance.now();
      const workspace = await ingest(port, code);
      report(`${Object.keys(code).length} functions indexed after ${seconds(started)} s …`);
      const trained = await untilTrained(port, workspace);
      report(`embedder ${trained ? 'trained' : 'NOT trained'} after ${seconds(started)} s …`);
      const rows: Cell[][] = [];
      for (const mode of MODES) rows.push([mode, ...(await score(port, workspace, mode, queries))]);
      return {
        tables: [
          {
            caption: 'Percent',
            columns: ['mode', 'MRR@10', 'nDCG@10', 'recall@10'],
            rows: [...rows, ...KNOWN],
          },
        ],
        reading: [
          `The semantic mode ran on the embedder ${trained ? 'that the service trained on this workspace alone' : 'that knows spelling alone, because training did not end in time'}; nothing was downloaded.`,
          'These are the development queries: settings were chosen in their sight, so a fresh set will score lower.',
        ],
      };
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

async function read(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(process.env['BENCH_DATA'] ?? '', 'retrieval', name), 'utf8'));
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0);
}

/** Resolves with the id of a workspace that holds every function, indexed. */
async function ingest(port: number, code: Readonly<Record<string, number>>): Promise<string> {
  const workspace = await callTool<{ id: string }>(port, 'workspaces_create', { name: 'cosqa' });
  const project = await callTool<{ id: string }>(port, 'projects_create', {
    workspace_id: workspace.id,
    name: 'cosqa',
  });
  const files = Object.entries(code).map(([content, index]) => ({ path: fileOf(index), content }));
  for (let at = 0; at < files.length; at += BATCH) {
    await callTool(port, 'files_ingest', { project_id: project.id, files: files.slice(at, at + BATCH) });
  }
  const { failed } = await untilIndexed(port, project.id, LIMIT_MS);
  if (failed > 0) throw new Error(`${failed} functions could not be indexed`);
  return workspace.id;
}

function fileOf(index: number): string {
  return `${index}.py`;
}

/** An untrained embedder says so in the warnings of each semantic answer. */
async function untilTrained(port: number, workspace: string): Promise<boolean> {
  const until = Date.now() + LIMIT_MS;
  while (Date.now() < until) {
    const { warnings } = await ask(port, workspace, 'semantic', 'read a file');
    if (warnings.length === 0) return true;
    await delay(500);
  }
  return false;
}

function ask(port: number, workspace: string, mode: string, query: string): Promise<Answer> {
  const args = { workspace_id: workspace, query, limit: 2 * DEPTH, output_format: 'paths' };
  return callTool<Answer>(port, `search_${mode}`, args);
}

/** MRR, nDCG and recall over the first ten files; with one right file a query, nDCG is 1 / log2(rank + 1). */
async function score(
  port: number,
  workspace: string,
  mode: string,
  queries: readonly Query[],
): Promise<number[]> {
  let [reciprocal, gain, found] = [0, 0, 0];
  for (const { doc, retrieval_idx: wanted } of queries) {
    const { results } = await ask(port, workspace, mode, doc);
    const files = [...new Set(results.map(({ path }) => path))].slice(0, DEPTH);
    const rank = files.indexOf(fileOf(wanted)) + 1;
    if (rank === 0) continue;
    reciprocal += 1 / rank;
    gain += 1 / Math.log2(rank + 1);
    found++;
  }
  return [reciprocal, gain, found].map((sum) => Math.round((1000 * sum) / queries.length) / 10);
}
