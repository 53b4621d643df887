import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService, type ServiceProcess } from '../service-process.js';
import type { Bench, Cell } from './bench.js';
import { sourceFiles } from './measure/corpus.js';
import { quantile } from './measure/stats.js';

const SAVES = 20;
const MODES = ['keyword', 'pattern', 'semantic'] as const;
const QUEUED = 1000;
const BATCH = 500;
const LIMIT_MS = 60_000;

/** A service with one project, in which one file is saved again and again. */
interface Saving {
  readonly service: ServiceProcess;
  readonly project_id: string;
  saves: number;
}

/** Saves the file with a new word and waits until a search finds it; in milliseconds. */
async function saveAndFind(saving: Saving, mode: string): Promise<number> {
  const { service, project_id } = saving;
  const word = `walrus${++saving.saves}`;
  const started = performance.now();
  const content = `# Notes\n\nThe ${word} sleeps on the ice.\n`;
  await service.call('files_ingest', { project_id, files: [{ path: 'notes.md', content }] });
  for (;;) {
    const query = { query: word, project_id, limit: 10 };
    const { results } = await service.call<{ results: { content: string }[] }>(`search_${mode}`, query);
    const ms = performance.now() - started;
    if (results.some((result) => result.content.includes(word))) return ms;
    if (ms > LIMIT_MS) throw new Error(`what was saved is not found by ${mode} after a minute`);
    await delay(10);
  }
}

async function measure(saving: Saving, situation: string): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const mode of MODES) {
    const times: number[] = [];
    for (let save = 0; save < SAVES; save++) {
      times.push(await saveAndFind(saving, mode));
      await delay(50);
    }
    rows.push([situation, mode, quantile(times, 0.5), quantile(times, 0.95)]);
  }
  return rows;
}

/** Adds files as long as fewer than {@link QUEUED} wait, until the signal aborts. Returns how many it added. */
async function keepQueued(saving: Saving, texts: readonly string[], signal: AbortSignal): Promise<number> {
  const { service, project_id } = saving;
  let added = 0;
  while (!signal.aborted) {
    const { pending } = await service.call<{ pending: number }>('projects_index_status', { project_id });
    if (pending < QUEUED) {
      const files = Array.from({ length: BATCH }, () => {
        const n = added++;
        return { path: `bulk/${n}.txt`, content: `${n}\n${texts[n % texts.length] ?? ''}` };
      });
      await service.call('files_ingest', { project_id, files });
    } else await delay(100);
  }
  return added;
}

export const freshness: Bench = {
  name: 'freshness',
  title: 'From a save to a search that finds it',
  method:
    `One file is saved ${SAVES} times through files_ingest for each mode, each time with a new word, and searched for every 10 ms: ` +
    `at rest, and while at least ${QUEUED.toLocaleString('en-US')} other files wait to be indexed. \`service-mcp serve\` in a process of its own ` +
    'with the embedded database; indexing in its child process.',
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startService(dataDir);
    try {
      await service.call('workspaces_create', { name: 'w' });
      const { id: project_id } = await service.call<{ id: string }>('projects_create', { name: 'p' });
      const saving: Saving = { service, project_id, saves: 0 };
      const texts = await Promise.all((await sourceFiles(BATCH)).map(({ from }) => readFile(from, 'utf8')));
      const first = await saveAndFind(saving, 'keyword');
      const rows = await measure(saving, 'at rest');
      report('at rest: done …');
      const enough = new AbortController();
      const bulk = keepQueued(saving, texts, enough.signal);
      await delay(3000);
      rows.push(...(await measure(saving, 'others wait')));
      enough.abort();
      const added = await bulk;
      const waiting = await service.call<{ pending: number }>('projects_index_status', { project_id });
      return {
        tables: [{ caption: 'milliseconds', columns: ['situation', 'mode', 'p50', 'p95'], rows }],
        reading: [
          `The first save after the start of the service, indexed by itself while its child process starts, was found after ${Math.round(first)} ms.`,
          `Meanwhile ${added - waiting.pending} of ${added} other files were indexed.`,
        ],
      };
    } finally {
      await service.end();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};
