import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eachDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { startService, type ServiceProcess } from '../service-process.js';
import { defaultPackages } from '../start-service.js';
import { backgroundWork, workerOf } from '../worker-process.js';
import { FAULT_LOOPS } from './support/fault-loops.js';

/** Enough vectors for an index over them, however few kills. */
const BATCHES = Math.max(48, 4 * FAULT_LOOPS);
const FILES_A_BATCH = 25;

interface Page {
  items: Array<{ path: string; sha256: string; indexing_status: string; chunks?: number }>;
  has_next: boolean;
}

/** A source file with a word that no other has. */
function sourceOf(batch: number, n: number): { path: string; content: string } {
  const functions = Array.from(
    { length: 4 },
    (_, f) =>
      `/** Part ${f} of module ${n}. */\nexport function part${f}OfBatch${batch}(value: number): number {\n` +
      `${`  value = Math.max(value, ${n + f}) - Math.min(value, ${n * f}); // step\n`.repeat(12)}  return value;\n}\n`,
  );
  return {
    path: `batch-${batch}/module-${n}.ts`,
    content: `// marker_${batch}_${n}_end\n${functions.join('\n')}`,
  };
}

/** A deployment that maintains its indexes at every pause, so that kills hit that too. */
async function deploymentIn(dataDir: string): Promise<string> {
  const file = join(dataDir, 'deployment.json');
  await writeFile(file, JSON.stringify({ ...(await defaultPackages()), search: { optimize_after_ms: 100 } }));
  return file;
}

eachDatabase((fresh) => {
  it(`loses no acknowledged file and indexes none twice, killed ${FAULT_LOOPS} times in the middle of an ingest`, async function () {
    this.timeout(900_000);
    const database = await fresh();
    const { dataDir, env } = database;
    const config = await deploymentIn(dataDir);
    const acknowledged = new Map<string, string>();
    let restarts = 0;
    let service = await startService(dataDir, env, config);
    try {
      await service.call('workspaces_create', { name: 'w' });
      const { id: project_id } = await service.call<{ id: string }>('projects_create', { name: 'p' });
      let next = 0;
      for (let kill = 0; kill < FAULT_LOOPS; kill++) {
        const until = Math.min(BATCHES, (kill + 1) * (BATCHES / FAULT_LOOPS));
        const isOfWorker = kill % 2 === 1;
        const moment = delay(300 + Math.random() * 1500);
        const killing = moment.then(async () => {
          if (isOfWorker) return killWorker(service);
          await service.end('SIGKILL');
          return undefined;
        });
        while (next < until && (await ingestBatch(service, project_id, next, acknowledged))) next++;
        const worker = await killing;
        if (worker !== undefined) {
          while ((await workerOf(service)) === worker) await delay(50);
          restarts++;
        }
        if (isOfWorker) continue;
        service = await startService(dataDir, env, config);
        const stored = await allFiles(service, project_id);
        for (const [path, sha256] of acknowledged)
          assert.equal(stored.get(path)?.sha256, sha256, `${path} was acknowledged and is lost`);
      }
      assert.ok(restarts > 0, 'no worker was killed: each had ended before');
      while (next < BATCHES) {
        assert.ok(await ingestBatch(service, project_id, next, acknowledged));
        next++;
      }
      await indexed(service, project_id);
      const stored = await allFiles(service, project_id);
      assert.equal(stored.size, BATCHES * FILES_A_BATCH);
      assert.deepEqual([...new Set([...stored.values()].map((file) => file.indexing_status))], ['indexed']);
      await everyMarkerOnce(service, project_id);
      await maintained(database);
      await service.end();
      await eachRowOnce(database, dataDir);
      await readyOnce(database);
    } finally {
      await service.end('SIGKILL');
    }
  });
});

/** Kills the child process of the service, if one runs now. */
async function killWorker(service: ServiceProcess): Promise<number | undefined> {
  const { pid } = await backgroundWork(service);
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  return pid;
}

/** Until the index was maintained after its last write. */
async function maintained(test: TestDatabase): Promise<void> {
  const database = await test.open();
  try {
    while ((await database.sql('search_indexes').where('writes', '>', 0)).length > 0) await delay(100);
  } finally {
    await database.close();
  }
}

/** The index holds exactly the documents and chunks that SQL says are indexed, and a vector index. */
async function eachRowOnce(test: TestDatabase, dataDir: string): Promise<void> {
  const database = await test.open();
  try {
    const [{ chunks = 0 } = {}] = (await database.sql('files').sum({ chunks: 'chunks' })) as Array<{
      chunks?: number;
    }>;
    const { workspace_id, generation } = (await database.sql('search_indexes').first()) as {
      workspace_id: string;
      generation: number;
    };
    const lancedb = await import('@lancedb/lancedb');
    const index = await lancedb.connect(join(dataDir, 'lancedb', 'w', workspace_id, `g${generation}`));
    const table = await index.openTable('chunks');
    const ids = ((await table.query().select(['id']).toArray()) as Array<{ id: string }>).map(({ id }) => id);
    assert.deepEqual([ids.length, new Set(ids).size], [chunks, chunks]);
    const vectors = await (await index.openTable('vectors_160')).listIndices();
    assert.ok(
      vectors.some(({ columns }) => columns.includes('vector')),
      'the vectors were never indexed',
    );
  } finally {
    await database.close();
  }
}

/** True when the service acknowledged the batch; false when it went away first. */
async function ingestBatch(
  service: ServiceProcess,
  project_id: string,
  batch: number,
  acknowledged: Map<string, string>,
): Promise<boolean> {
  const files = Array.from({ length: FILES_A_BATCH }, (_, n) => sourceOf(batch, n));
  try {
    await service.call('files_ingest', { project_id, files });
  } catch (error) {
    if (error instanceof TypeError) return false; // fetch failed: the process is gone
    throw error;
  }
  for (const { path, content } of files)
    acknowledged.set(path, createHash('sha256').update(content).digest('hex'));
  return true;
}

async function allFiles(service: ServiceProcess, project_id: string) {
  const files = new Map<string, Page['items'][0]>();
  for (let page = 1, more = true; more; page++) {
    const { items, has_next } = await service.call<Page>('files_list', { project_id, page, per_page: 100 });
    for (const item of items) files.set(item.path, item);
    more = has_next;
  }
  return files;
}

/** Waits until the project is ready. Fails when nothing moved for two minutes: how long the whole takes says how busy the machine is. */
async function indexed(service: ServiceProcess, project_id: string): Promise<void> {
  for (let last = -1, giveUpAt = 0; ;) {
    const { state, failed, pending } = await service.call<{ state: string; failed: number; pending: number }>(
      'projects_index_status',
      { project_id },
    );
    assert.equal(failed, 0);
    if (state === 'ready') return;
    if (pending !== last) [last, giveUpAt] = [pending, Date.now() + 120_000];
    assert.ok(
      Date.now() < giveUpAt,
      `the index is ${state}: ${pending} files wait, none moved in two minutes`,
    );
    await delay(200);
  }
}

/** Each file's own word is found in that file alone, once, by pattern and by keyword: no row is missing or double. */
async function everyMarkerOnce(service: ServiceProcess, project_id: string): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) {
    const { total, total_is_lower_bound } = await service.call<{
      total: number;
      total_is_lower_bound: boolean;
    }>('search_pattern', {
      query: 'marker_\\d+_\\d+_end',
      project_id,
      filters: { path_prefix: `batch-${batch}/` },
      output_format: 'count',
    });
    assert.deepEqual([total, total_is_lower_bound], [FILES_A_BATCH, false]);
  }
  for (let batch = 0; batch < BATCHES; batch += 7) {
    const word = `part3OfBatch${batch}`;
    const { results } = await service.call<{ results: Array<{ path: string; start_line: number }> }>(
      'search_keyword',
      { query: word, project_id, limit: 100 },
    );
    const own = results
      .filter((result) => result.path.startsWith(`batch-${batch}/`))
      .map(({ path, start_line }) => `${path}:${start_line}`);
    assert.equal(
      new Set(own.map((place) => place.split(':')[0])).size,
      FILES_A_BATCH,
      `${word} is missing in a file`,
    );
    assert.equal(new Set(own).size, own.length, `${word} is found twice at one place`);
  }
}

/** project.ready came last, of everything, and never twice without a file between. */
async function readyOnce(test: TestDatabase): Promise<void> {
  const database = await test.open();
  try {
    const events = (await database
      .sql('change_events')
      .whereIn('type', ['project.ready', 'file.indexed'])
      .orderBy([{ column: 'tx' }, { column: 'id' }])
      .select('type', 'data')) as Array<{ type: string; data: string }>;
    const last = events.at(-1);
    assert.equal(last?.type, 'project.ready');
    assert.equal((JSON.parse(last.data) as { indexed: number }).indexed, BATCHES * FILES_A_BATCH);
    const twice = events.findIndex(
      ({ type }, i) => type === 'project.ready' && events[i - 1]?.type === 'project.ready',
    );
    assert.equal(twice, -1, 'a readiness was told twice');
  } finally {
    await database.close();
  }
}
