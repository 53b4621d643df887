import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BINARY, cleanEnv, runBinary } from '../../command.js';
import { startPostgres, type PostgresServer } from '../../postgres.js';
import { post } from '../../security/raw-http.js';
import { bearer, withKey } from '../../security/start-hosted.js';
import { startService, type ServiceProcess } from '../../service-process.js';
import { HOSTED_DEPLOYMENT } from '../../start-service.js';
import { isAlive } from '../../worker-process.js';
import { smallDisk, type SmallDisk } from '../support/small-disk.js';
import { creationLedger } from './creation-ledger.js';

const DISK_MIB = 160;
const FILES = 400;
const WRITERS = 4;
/** Each lease of a rate counter is a write to the database: of so many reads some lease. */
const READS = 40;
const READS_PER_MINUTE = 200;
const FULL = /UNAVAILABLE: The disk of the database is full/;
const FULL_LINE = /The disk of the database is full.*Trying again/;
const RESERVE_BYTES = 8 * 2 ** 20;
const ANN = { email: 'ann@example.com', password: 'correct horse battery', name: 'Ann' };

interface Ready {
  readonly checks: ReadonlyArray<{
    readonly name: string;
    readonly status: string;
    readonly message: string;
  }>;
}
interface Answer {
  readonly data: { readonly access_token: string; readonly secret_key: string };
}

for (const engine of ['sqlite', 'postgresql'] as const) {
  describe(`fault: the disk is full, ${engine} (mounts a small tmpfs: Linux, root)`, () => {
    let disk: SmallDisk;
    let dataDir: string;
    let key: string;
    let project_id: string;
    let server: PostgresServer | undefined;
    let service: ServiceProcess;
    let env: Record<string, string> = {};
    const ledger = creationLedger();
    before(async () => {
      disk = await smallDisk(DISK_MIB);
      dataDir =
        engine === 'sqlite' ? join(disk.path, 'service') : await mkdtemp(join(tmpdir(), 'service-mcp-'));
      if (engine === 'postgresql') {
        server = await startPostgres(join(disk.path, 'data'), { max_wal_size: '48MB', min_wal_size: '32MB' });
        env = { DATABASE_URL: server.url };
      }
      const limits = {
        SERVICE_LIMITS_READ_PER_MINUTE: String(READS_PER_MINUTE),
        SERVICE_LIMITS_WRITE_PER_MINUTE: '0',
      };
      const started = await startService(
        dataDir,
        { ...env, ...limits, SERVICE_WORKERS: 'elsewhere' },
        HOSTED_DEPLOYMENT,
      );
      const send = async (path: string, body: object, headers = {}) =>
        (await post(started.url, path, body, headers)).json<Answer>().data;
      const { access_token } = await send('/v1/auth/register', ANN);
      const wanted = { name: 'of Ann', scopes: ['*'] };
      key = (await send('/v1/auth/api-keys', wanted, bearer(access_token))).secret_key;
      service = {
        ...started,
        call: (tool, args, init) =>
          started.call(tool, args, { ...init, headers: { ...init?.headers, ...withKey(key) } }),
      };
    });
    after(async () => {
      await service?.end('SIGKILL');
      await server?.stop();
      await disk.remove();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    });

    const database = async () =>
      ((await (await fetch(`${service.url}/ready`)).json()) as Ready).checks.find(
        ({ name }) => name === 'database',
      );

    /** Until the service keeps space for deletes. */
    async function hasReserve(): Promise<void> {
      const bytes = async () =>
        server
          ? Number((await server.query("SELECT pg_relation_size('disk_reserve') AS bytes"))[0]?.['bytes'])
          : (await stat(join(dataDir, 'service.db.reserve')).catch(() => ({ size: 0 }))).size;
      while ((await bytes()) < RESERVE_BYTES) await delay(50);
    }
    const listed = async () => (await service.call<{ total: number }>('files_list', { project_id })).total;
    const ingest = (path: string, content: string) =>
      service.call('files_ingest', { project_id, files: [{ path, content }] });
    async function report(freedAt: number): Promise<void> {
      const { lost, twice } = await ledger.compare(service);
      console.log(
        `      acknowledged ${ledger.acknowledged.size}, lost ${lost}, twice ${twice}; recovery ${Date.now() - freedAt} ms`,
      );
      assert.deepEqual({ lost, twice }, { lost: 0, twice: 0 });
    }

    it('reads go on, /ready and doctor say it, ingest waits, deleting works, and nothing is lost', async () => {
      await service.call('workspaces_create', { name: 'w' });
      ({ id: project_id } = await service.call<{ id: string }>('projects_create', { name: 'p' }));
      const files = Array.from({ length: FILES }, (_, n) => ({
        path: `f${n}.md`,
        content: `walrus ${n} `.repeat(50),
      }));
      await service.call('files_ingest', { project_id, files });
      await hasReserve();
      const writing = ledger.write(WRITERS, () => service);
      await ledger.grow(WRITERS);

      // The log that PostgreSQL writes ahead has room left: its end is another fault.
      await server?.query('SELECT pg_switch_wal()');
      await disk.fill();
      let acknowledged = FILES;
      const refusal = await (async () => {
        // Noise does not compress to nothing.
        for (; ; acknowledged++) await ingest(`${acknowledged}.md`, randomBytes(50_000).toString('hex'));
      })().catch(String);
      assert.match(refusal, FULL);
      for (let n = 0; n < READS; n++) assert.equal(await listed(), acknowledged);
      assert.equal(
        (await service.call<{ total: number }>('search_pattern', { query: 'walrus 7 ' })).total,
        1,
      );
      const check = await database();
      assert.equal(check?.status, 'degraded');
      assert.match(check.message, /full/);
      const doctor = await runBinary(['doctor', '--config', HOSTED_DEPLOYMENT, '--data', dataDir], { env });
      assert.notEqual(doctor.code, 0);
      assert.match(doctor.stdout, /The disk of the database is full/);

      const source = await mkdtemp(join(tmpdir(), 'source-'));
      await writeFile(join(source, 'sent.md'), randomBytes(50_000).toString('hex'));
      const args = ['ingest', source, '--project', project_id, '--no-wait'];
      const ingesting = spawn(process.execPath, [BINARY, ...args], {
        env: { ...cleanEnv(), SERVICE_API_URL: service.url, SERVICE_API_KEY: key },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      ingesting.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
      while (!FULL_LINE.test(said)) {
        assert.equal(ingesting.exitCode, null, said);
        await delay(50);
      }

      const paths = files.slice(0, FILES / 2).map(({ path }) => path);
      const removed = await service.call<{ removed: number }>('files_delete', { project_id, paths });
      assert.equal(removed.removed, paths.length);

      await disk.free();
      const freedAt = Date.now();
      while ((await database())?.status !== 'ok') await delay(200);
      await ledger.grow(WRITERS);
      await writing.stop();
      await report(freedAt);
      if (ingesting.exitCode === null) await once(ingesting, 'exit');
      assert.equal(ingesting.exitCode, 0, said);
      await rm(source, { recursive: true });
      assert.equal(await listed(), acknowledged - paths.length + 1);
    });

    if (engine === 'postgresql') {
      it('has no room for the log of PostgreSQL, which ends: it starts again with space, and nothing is lost', async () => {
        assert.ok(server);
        const writing = ledger.write(WRITERS, () => service);
        await ledger.grow(WRITERS);
        await disk.fill();
        while (isAlive(server.pid)) await server.query('SELECT pg_switch_wal()').catch(() => delay(20));
        await assert.rejects(listed(), /UNAVAILABLE: The database does not answer/);
        assert.equal((await fetch(`${service.url}/ready`)).status, 503);
        await disk.free();
        const freedAt = Date.now();
        await server.start();
        await ledger.grow(WRITERS);
        await writing.stop();
        await report(freedAt);
      });
    }
  });
}
