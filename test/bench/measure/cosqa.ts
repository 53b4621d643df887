import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callTool, untilIndexed } from './rest-client.js';

const BATCH = 500;
const LIMIT_MS = 600_000;

/** A web query, and the index of its one right function. */
export interface CosqaQuery {
  readonly doc: string;
  readonly retrieval_idx: number;
}

/** A reason to leave a benchmark on CoSQA out; undefined where the set is there. */
export function missingCosqa(): string | undefined {
  if (process.env['BENCH_DATA']) return undefined;
  return (
    'set BENCH_DATA to a folder with retrieval/cosqa-code.json and retrieval/cosqa-dev-queries.json, made from ' +
    'code_idx_map.txt and cosqa-retrieval-dev-500.json in data/search of the repository Jun-jie-Huang/CoCLR.'
  );
}

/** `code`: the index of each function by its text. */
export async function readCosqa(): Promise<{
  readonly code: Readonly<Record<string, number>>;
  readonly queries: readonly CosqaQuery[];
}> {
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(process.env['BENCH_DATA'] ?? '', 'retrieval', name), 'utf8'));
  return {
    code: (await read('cosqa-code.json')) as Record<string, number>,
    queries: (await read('cosqa-dev-queries.json')) as CosqaQuery[],
  };
}

/** The path of a function in the workspace. */
export function fileOf(index: number): string {
  return `${index}.py`;
}

/** Ingests every function into a new workspace, and waits until it is indexed and its embedder trained. */
export async function ingestCosqa(
  port: number,
  code: Readonly<Record<string, number>>,
  report: (line: string) => void,
): Promise<{ readonly workspace_id: string; readonly trained: boolean }> {
  const started = performance.now();
  const passed = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  const { id: workspace_id } = await callTool<{ id: string }>(port, 'workspaces_create', { name: 'cosqa' });
  const project = { workspace_id, name: 'cosqa' };
  const { id: project_id } = await callTool<{ id: string }>(port, 'projects_create', project);
  const files = Object.entries(code).map(([content, index]) => ({ path: fileOf(index), content }));
  for (let at = 0; at < files.length; at += BATCH)
    await callTool(port, 'files_ingest', { project_id, files: files.slice(at, at + BATCH) });
  const { failed } = await untilIndexed(port, project_id, LIMIT_MS);
  if (failed > 0) throw new Error(`${failed} functions could not be indexed`);
  report(`${files.length} functions indexed after ${passed()} …`);
  const trained = await untilTrained(port, workspace_id);
  report(`embedder ${trained ? 'trained' : 'NOT trained'} after ${passed()} …`);
  return { workspace_id, trained };
}

/** An untrained embedder says so in the warnings of each semantic answer. */
export async function untilTrained(port: number, workspace_id: string): Promise<boolean> {
  const asked = { workspace_id, query: 'read a file', limit: 1 };
  for (const until = Date.now() + LIMIT_MS; Date.now() < until; await delay(500)) {
    const { warnings } = await callTool<{ warnings: string[] }>(port, 'search_semantic', asked);
    if (warnings.length === 0) return true;
  }
  return false;
}
