import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eachDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { startService, type ServiceProcess } from '../service-process.js';
import { backgroundWork, ended, isAlive, startWorker, workerOf } from '../worker-process.js';

/** Too many for the service itself to index, too few to train on. */
const FILES = 40;

async function makeProject(service: ServiceProcess): Promise<string> {
  await service.call('workspaces_create', { name: 'w' });
  return (await service.call<{ id: string }>('projects_create', { name: 'p' })).id;
}

const ingest = (service: ServiceProcess, project_id: string, count: number, text = 'The walrus sleeps.') =>
  service.call('files_ingest', {
    project_id,
    files: Array.from({ length: count }, (_, n) => ({
      path: `${n}.md`,
      content: `# Part ${n}\n\n${text}\n`,
    })),
  });

const pending = async (service: ServiceProcess, project_id: string) =>
  (await service.call<{ pending: number }>('projects_index_status', { project_id })).pending;

async function indexed(service: ServiceProcess, project_id: string): Promise<void> {
  while ((await pending(service, project_id)) > 0) await delay(50);
}

const found = async (service: ServiceProcess, query: string) =>
  (await service.call<{ total: number }>('search_pattern', { query, output_format: 'count' })).total;

describe('the process of the background work', () => {
  eachDatabase((fresh) => {
    let database: TestDatabase;
    let service: ServiceProcess | undefined;
    const start = async (env: Record<string, string> = {}) => {
      service = await startService(database.dataDir, { ...database.env, ...env });
      return service;
    };
    beforeEach(async () => {
      database = await fresh();
    });
    afterEach(() => service?.end('SIGKILL'));

    it('starts with work, ends when idle, and starts again', async () => {
      const at = await start({ SERVICE_WORKERS_IDLE_MS: '1000' });
      assert.deepEqual(await backgroundWork(at), {
        name: 'background work',
        status: 'ok',
        message: 'nothing to do, no process runs',
        pid: undefined,
      });
      const project = await makeProject(at);
      await ingest(at, project, FILES);
      const first = await workerOf(at);
      await indexed(at, project);
      assert.equal(await found(at, 'walrus'), FILES);
      await ended(first);
      assert.equal((await backgroundWork(at)).status, 'ok');
      await ingest(at, project, 1, 'The narwhal sleeps.');
      await indexed(at, project);
      assert.notEqual(await workerOf(at), first);
      assert.deepEqual([await found(at, 'walrus'), await found(at, 'narwhal')], [FILES - 1, 1]);
    });

    it('is started again after a crash, which the service reports', async () => {
      const at = await start();
      const project = await makeProject(at);
      await ingest(at, project, FILES);
      const first = await workerOf(at);
      process.kill(first, 'SIGKILL');
      await ended(first);
      await indexed(at, project);
      assert.equal(await found(at, 'walrus'), FILES);
      await ingest(at, project, FILES, 'The narwhal sleeps.');
      assert.notEqual(await workerOf(at), first);
      const { status, message } = await backgroundWork(at);
      assert.equal(status, 'degraded');
      assert.match(message ?? '', /ended by itself 1 times, last: exit SIGKILL/u);
      const metrics = await (await fetch(`${at.url}/metrics`)).text();
      assert.match(metrics, /^service_mcp_worker_crashes 1$/mu);
      assert.match(metrics, /^service_mcp_worker_running 1$/mu);
    });

    it('names itself in the log, which it shares with the service', async () => {
      const at = await start({ SERVICE_LOG_LEVEL: 'info' });
      const project = await makeProject(at);
      await ingest(at, project, 60);
      while (!at.said().includes('trained an embedder')) await delay(50);
      const lines = at.said().split('\n');
      const line = (text: string) =>
        JSON.parse(lines.find((each) => each.includes(text)) ?? '{}') as { process?: string };
      assert.equal(line('trained an embedder').process, 'background work');
      assert.equal(line('the process of the background work starts').process, undefined);
    });

    it('ends with its service, also with one that is killed', async () => {
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        database = await fresh();
        const at = await start();
        const project = await makeProject(at);
        await ingest(at, project, FILES);
        const worker = await workerOf(at);
        await at.end(signal);
        if (signal === 'SIGTERM') assert.equal(isAlive(worker), false);
        await ended(worker);
      }
    });

    it('runs apart from the service where its settings say so', async () => {
      const at = await start({ SERVICE_WORKERS: 'elsewhere' });
      const project = await makeProject(at);
      await ingest(at, project, FILES);
      await delay(1500);
      assert.equal(await pending(at, project), FILES);
      const without = await backgroundWork(at);
      assert.equal(without.status, 'degraded');
      assert.match(without.message ?? '', /no service-mcp worker runs/u);
      const workers = [
        startWorker(database.dataDir, database.env),
        startWorker(database.dataDir, database.env),
      ];
      await indexed(at, project);
      assert.equal(await found(at, 'walrus'), FILES);
      assert.equal(await workers[0]?.end('SIGKILL'), null);
      await ingest(at, project, 1, 'The narwhal sleeps.');
      await indexed(at, project);
      assert.equal(await found(at, 'narwhal'), 1);
      assert.equal((await backgroundWork(at)).status, 'ok', 'one of two was killed');
      assert.equal(await workers[1]?.end(), 0);
    });
  });
});
