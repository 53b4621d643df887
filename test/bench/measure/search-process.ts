import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadDeployment, start } from '@service-mcp/core/host';
import { startServer } from './child.js';
import { sourceFiles } from './corpus.js';
import { latencies } from './latency.js';
import { RawIndex } from './raw-index.js';
import { SearchClient } from './rest-client.js';
import { MODES, type SearchFigures } from './search-figures.js';

/**
 * Search over REST and raw LanceDB over the same tables. The host of this process fills them; a service in a process of its
 * own answers. The figures of each size go to the parent.
 */

const BATCH_FILES = 250;
const QUERIES = 80;
const TRAINING_LIMIT_MS = 240_000;

const [dataDir = '', ...sizes] = process.argv.slice(2);
const loaded = await loadDeployment({
  file: fileURLToPath(new URL('../../../../deploy/local.json', import.meta.url)),
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
const waiting = await sourceFiles(6000, 3000);
let files = 0;

/** Ingests until the index holds so many chunks; the last batch may go over. */
async function growTo(chunks: number): Promise<RawIndex> {
  for (;;) {
    const batch = waiting.splice(0, BATCH_FILES);
    if (batch.length === 0) throw new Error('there are not enough source files installed');
    const sent = await Promise.all(
      batch.map(async ({ path, from }) => ({ path, content: await readFile(from, 'utf8') })),
    );
    await call('files_ingest', { project_id: project.id, files: sent });
    files += batch.length;
    await settled();
    const index = await RawIndex.open(join(dataDir, 'lancedb', 'w', workspace.id, 'g1'));
    if ((await index.size()) >= chunks) return index;
    index.close();
  }
}

async function settled(): Promise<void> {
  for (;;) {
    const { pending } = await call<{ pending: number }>('projects_index_status', { project_id: project.id });
    if (pending === 0) return;
    await delay(50);
  }
}

/** Waits for an embedder that was trained on at least two thirds of the chunks, so that none disturbs the measurement. */
async function trained(chunks: number): Promise<boolean> {
  const until = Date.now() + TRAINING_LIMIT_MS;
  for (;;) {
    const spaces = await host.database.sql<{ state: string; kind: string; chunks: number }>('search_spaces');
    const active = spaces.find(({ state }) => state === 'active');
    const idle = spaces.every(({ state }) => state === 'active');
    if (idle && active !== undefined && active.kind !== 'hashed' && active.chunks * 1.5 > chunks) return true;
    if (Date.now() > until) return false;
    await delay(250);
  }
}

for (const size of sizes.map(Number)) {
  (await growTo(size)).close();
  const isTrained = await trained(size);
  await delay(3000); // the compaction that follows quiet
  const index = await RawIndex.open(join(dataDir, 'lancedb', 'w', workspace.id, 'g1'));
  const queries = await index.queries(QUERIES);
  const rows = [];
  const service = await startServer('service', dataDir);
  const client = new SearchClient(service.port);
  for (const mode of MODES) {
    const ours = (at: number) =>
      client.search(mode, {
        workspace_id: workspace.id,
        query: mode === 'pattern' ? queries[at]?.pattern : queries[at]?.words,
      });
    const raw = (at: number) => index[mode](queries[at] as (typeof queries)[number]);
    for (const concurrency of [1, 8]) {
      rows.push({ mode, concurrency, ...(await latencies(ours, raw, QUERIES, concurrency)) });
    }
  }
  const figures: SearchFigures = {
    chunks: await index.size(),
    files,
    trained: isTrained,
    rss: (await service.usage()).rss,
    rows,
  };
  client.close();
  await service.stop();
  index.close();
  process.send?.(figures);
}
await host.stop();
process.disconnect?.();
