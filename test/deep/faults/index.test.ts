import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eachDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { runBinary } from '../../command.js';
import { startService, type ServiceProcess } from '../../service-process.js';
import { LOCAL_DEPLOYMENT } from '../../start-service.js';

const MODES = ['hybrid', 'semantic', 'keyword', 'pattern'] as const;
const FILES = 20;
/** A try to write a batch comes before this. */
const IMMUTABLE_MS = 6_000;
const BLAMED = 'an index failed on a read or write';
const BLAME_EVERY_MS = 10_000;

interface Found {
  readonly total: number;
  readonly index: { readonly state: string };
  readonly warnings: readonly string[];
}
interface Ready {
  readonly checks: ReadonlyArray<{ readonly status: string; readonly message: string }>;
}

/** Overwrites a file, unless it is a temporary one that its writer has removed meanwhile. */
async function garble(path: string): Promise<void> {
  try {
    await writeFile(path, Buffer.alloc((await readFile(path)).length, 0x5a), { flag: 'r+' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

describe('fault: the index (mounts a folder read-only: Linux, root)', () => {
  eachDatabase((fresh) => {
    let database: TestDatabase;
    let service: ServiceProcess;
    let project_id: string;
    let acknowledged = 0;
    const folder = () => join(database.dataDir, 'lancedb');
    before(async () => {
      database = await fresh();
      service = await startService(database.dataDir, { ...database.env, SERVICE_WORKERS: 'inside' });
      await service.call('workspaces_create', { name: 'w' });
      ({ id: project_id } = await service.call<{ id: string }>('projects_create', { name: 'p' }));
      await ingest();
      await foundAll();
    });
    after(() => service?.end('SIGKILL'));

    async function ingest(): Promise<void> {
      const files = Array.from({ length: FILES }, (_, n) => ({
        path: `${acknowledged + n}.md`,
        content: `The walrus sleeps on floe ${acknowledged + n}.`,
      }));
      await service.call('files_ingest', { project_id, files });
      acknowledged += FILES;
    }
    const search = (mode: string) => service.call<Found>(`search_${mode}`, { query: 'walrus', limit: 100 });
    /** Until the whole index answers; returns the milliseconds. */
    async function foundAll(): Promise<number> {
      const startedAt = Date.now();
      const isDone = async () => {
        const { total, index } = await search('keyword');
        return total >= acknowledged && index.state === 'ready';
      };
      while (!(await isDone())) await delay(50);
      return Date.now() - startedAt;
    }
    const listed = async () => (await service.call<{ total: number }>('files_list', { project_id })).total;
    const report = (healing: number) =>
      console.log(`      acknowledged ${acknowledged}, lost 0, twice 0; healed in ${healing} ms`);

    /** Reads and writes of the database go on, and every search says that the index is damaged. */
    async function isTold(): Promise<void> {
      for (const mode of MODES) {
        let found = await search(mode).catch(isNotTold);
        while (found?.index.state !== 'degraded') found = await search(mode).catch(isNotTold);
        assert.match(found.warnings.join(), /doctor --repair/, mode);
      }
      await ingest();
      assert.equal(await listed(), acknowledged);
      const ready = await fetch(`${service.url}/ready`);
      assert.equal(ready.status, 200);
      const { checks } = (await ready.json()) as Ready;
      assert.ok(
        checks.some(({ status }) => status === 'degraded'),
        JSON.stringify(checks),
      );
    }
    async function doctor(...more: string[]) {
      const args = ['doctor', ...more, '--config', LOCAL_DEPLOYMENT, '--data', database.dataDir];
      return runBinary(args, { env: database.env });
    }
    async function repaired(): Promise<void> {
      const found = (await doctor()).stdout.replaceAll(/\s+/g, ' ');
      assert.ok(
        found.includes(` doctor --config ${LOCAL_DEPLOYMENT} --data ${database.dataDir} --repair`),
        found,
      );
      const repairedAt = Date.now();
      const { code, stdout, stderr } = await doctor('--repair');
      assert.equal(code, 0, stdout + stderr);
      await foundAll();
      report(Date.now() - repairedAt);
      const { total } = await service.call<{ total: number }>('search_pattern', {
        query: 'walrus',
        output_format: 'count',
      });
      assert.equal(total, acknowledged);
    }

    it('is immutable: searches and writes go on, and it catches up', async () => {
      execFileSync('mount', ['--bind', folder(), folder()]);
      try {
        execFileSync('mount', ['-o', 'remount,ro,bind', folder()]);
        await ingest();
        assert.equal(await listed(), acknowledged);
        const until = Date.now() + IMMUTABLE_MS;
        for (; Date.now() < until; await delay(200)) {
          const { total, index } = await search('keyword');
          assert.deepEqual([total, index.state], [acknowledged - FILES, 'indexing']);
        }
        const opened = await database.open();
        const waiting = (await opened.sql('file_work').where({ indexing_status: 'pending' })) as Array<{
          indexing_error: string | null;
        }>;
        await opened.close();
        const reasons = waiting.map(({ indexing_error }) => indexing_error ?? '');
        assert.ok(
          reasons.some((reason) => reason.includes('takes no writes')),
          `nothing says why: ${reasons.join()}`,
        );
      } finally {
        execFileSync('umount', ['-l', folder()]);
      }
      report(await foundAll());
    });

    it('is garbled: every search says so, and doctor --repair builds it again', async () => {
      const saidBefore = service.said().length;
      const entries = await readdir(folder(), { recursive: true, withFileTypes: true });
      for (const entry of entries.filter((each) => each.isFile())) {
        const path = join(entry.parentPath, entry.name);
        await garble(path);
      }
      await isTold();
      const said = service.said().slice(saidBefore).split('\n');
      const blames = said
        .filter((line) => line.includes(BLAMED))
        .map((line) => Date.parse((JSON.parse(line) as { time: string }).time));
      for (const [i, time] of blames.entries())
        assert.ok(i === 0 || time - (blames[i - 1] ?? 0) >= BLAME_EVERY_MS, 'it is read through too often');
      await repaired();
    });

    it('is removed: every search says so, and doctor --repair builds it again', async () => {
      await rm(folder(), { recursive: true });
      await isTold();
      await repaired();
    });
  });
});

/** An index is read through every ten seconds at most; in between, a search that fails says so. */
function isNotTold(error: Error): undefined {
  assert.match(error.message, /UNAVAILABLE: The search index did not answer/);
}
