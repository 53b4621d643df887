import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './bench.js';
import { startServer, type ServerProcess } from './measure/child.js';
import { sourceFiles } from './measure/corpus.js';
import { callTool, SearchClient, untilIndexed } from './measure/rest-client.js';
import { quantile } from './measure/stats.js';

const WORKSPACES = Number(process.env['BENCH_WORKSPACES'] ?? 1000);
const CHUNKS = Number(process.env['BENCH_CHUNKS'] ?? 1000);
/** Of the files of the corpus. */
const CHUNKS_A_FILE = 7;
const ACTIVE = 100;
const SEARCHES = 600;
const MODES = ['keyword', 'hybrid'] as const;
const INDEX_LIMIT_MS = 3_600_000;
const MEBIBYTE = 2 ** 20;

interface Made {
  readonly workspace_id: string;
  readonly project_id: string;
  /** A word that no other workspace has. */
  readonly own: string;
  readonly queries: readonly string[];
}

export const manyWorkspaces: Bench = {
  name: 'workspaces',
  title: 'Many workspaces',
  method:
    `${WORKSPACES.toLocaleString('en-US')} workspaces of about ${CHUNKS.toLocaleString('en-US')} chunks each (BENCH_WORKSPACES, BENCH_CHUNKS) in one service, over REST, ` +
    `one caller: ${SEARCHES} searches a cell in one workspace, and in turn in ${ACTIVE} of them. Each workspace has a word of its own, ` +
    'which is looked for there and in the next one.',
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    let service = await startServer('service', dataDir, 'child');
    try {
      const made = await fill(service.port, report);
      await service.stop();
      service = await startServer('service', dataDir); // what an ingest leaves in memory does not count
      return await measure(service, made);
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

async function fill(port: number, report: (line: string) => void): Promise<Made[]> {
  const corpus = await sourceFiles(20_000, 3000);
  const each = Math.max(1, Math.round(CHUNKS / CHUNKS_A_FILE));
  const made: Made[] = [];
  for (let at = 0; at < WORKSPACES; at++) {
    const name = `workspace ${at}`;
    const own = wordOf(at);
    const { id: workspace_id } = await callTool<{ id: string }>(port, 'workspaces_create', { name });
    const { id: project_id } = await callTool<{ id: string }>(port, 'projects_create', {
      workspace_id,
      name,
    });
    const files = await Promise.all(
      Array.from({ length: each }, async (_none, of) => {
        const { path, from } = corpus[(at * 37 + of) % corpus.length]!;
        return { path: `${of}/${path}`, content: await readFile(from, 'utf8') };
      }),
    );
    const queries = files.flatMap(({ content }) => {
      const words = [...new Set(content.match(/\b[a-z]{5,9}\b/g))].slice(3, 6);
      return words.length === 3 ? [words.join(' ')] : [];
    });
    await callTool(port, 'files_ingest', {
      project_id,
      files: [...files, { path: 'own.md', content: `# Own\n\n${own}\n` }],
    });
    made.push({ workspace_id, project_id, own, queries: queries.slice(0, 20) });
    if (at % 100 === 99) {
      for (const { project_id: id } of made.slice(-100)) await untilIndexed(port, id, INDEX_LIMIT_MS);
      report(`${at + 1} workspaces …`);
    }
  }
  for (const { project_id } of made) await untilIndexed(port, project_id, INDEX_LIMIT_MS);
  return made;
}

/** Letters alone, and no two alike: a word that nothing holds is searched as the nearest one. */
function wordOf(at: number): string {
  const hex = createHash('sha256').update(String(at)).digest('hex');
  return Array.from(hex.slice(0, 14), (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join(
    '',
  );
}

async function measure(service: ServerProcess, made: readonly Made[]) {
  const { port } = service;
  const client = new SearchClient(port);
  const step = Math.max(1, Math.floor(made.length / ACTIVE));
  const active = made.filter((_each, at) => at % step === 0).slice(0, ACTIVE);
  const rows: Array<readonly (string | number)[]> = [];
  for (const mode of MODES) {
    for (const [name, some] of [
      ['one', active.slice(0, 1)],
      [`${active.length} in turn`, active],
    ] as const) {
      const times: number[] = [];
      for (let at = 0; at < SEARCHES; at++) {
        const { workspace_id, queries } = some[at % some.length]!;
        const query = queries[Math.floor(at / some.length) % queries.length];
        const started = performance.now();
        await client.search(mode, { workspace_id, query });
        times.push(performance.now() - started);
      }
      rows.push([mode, name, quantile(times, 0.5), quantile(times, 0.95)]);
    }
  }
  const resident = Math.round((await service.usage()).rss / MEBIBYTE);
  let leaks = 0;
  let missing = 0;
  for (const [at, { workspace_id, own }] of made.entries()) {
    const next = made[(at + 1) % made.length]!;
    if ((await totalOf(port, workspace_id, own)) !== 1) missing++;
    if (made.length > 1 && (await totalOf(port, next.workspace_id, own)) !== 0) leaks++;
  }
  const started = performance.now();
  await fetch(`http://127.0.0.1:${port}/ready`);
  const ready = performance.now() - started;
  client.close();
  return {
    tables: [{ caption: 'Searches (milliseconds)', columns: ['mode', 'workspaces', 'p50', 'p95'], rows }],
    reading: [
      `${missing} of ${made.length} workspaces miss their own word, and ${leaks} show that of another.`,
      `The service holds ${resident} MiB after the searches. /ready, which then checks every index, answers in ${Math.round(ready)} ms.`,
    ],
  };
}

async function totalOf(port: number, workspace_id: string, query: string): Promise<number> {
  const { total } = await callTool<{ total: number }>(port, 'search_keyword', { workspace_id, query });
  return total;
}
