import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres, type PostgresServer } from '../../postgres.js';
import { startService, type ServiceProcess } from '../../service-process.js';
import { ended } from '../../worker-process.js';
import { creationLedger } from './creation-ledger.js';

const WRITERS = 8;
const PAUSE_MS = 7_000;
const STOPPED_MS = 4_000;
const READY_MS = 2_000;
const RECOVERY_MS = 10_000;
/** For a machine that is busy with other tests. */
const SLACK_MS = 1_000;

describe(`fault: processes of PostgreSQL end or stop under ${WRITERS} writers`, () => {
  const ledger = creationLedger();
  let folder: string;
  let server: PostgresServer;
  let service: ServiceProcess;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-postgres-'));
    await chmod(folder, 0o755); // run by root, PostgreSQL runs as another user that must pass through
    server = await startPostgres(join(folder, 'data'));
    service = await startService(join(folder, 'service'), { DATABASE_URL: server.url });
    await service.call('workspaces_create', { name: 'w' });
  });
  after(async () => {
    await service?.end('SIGKILL');
    await server?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Runs a fault while all write, until as many creations as writers are acknowledged after it. */
  async function underWriters(fault: () => Promise<void>): Promise<void> {
    const writing = ledger.write(WRITERS, () => service);
    await ledger.grow(2 * WRITERS);
    await fault();
    const endedAt = Date.now();
    await ledger.grow(WRITERS);
    const recovery = Date.now() - endedAt;
    await writing.stop();
    const { lost, twice } = await ledger.compare(service);
    console.log(
      `      acknowledged ${ledger.acknowledged.size}, lost ${lost}, twice ${twice}; recovery ${recovery} ms`,
    );
    assert.deepEqual({ lost, twice }, { lost: 0, twice: 0 });
    assert.ok(recovery <= RECOVERY_MS, `${recovery} ms`);
  }

  it('every connection is ended (pg_terminate_backend)', () =>
    underWriters(async () => {
      const ended = await server.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      );
      assert.ok(ended.length > 0, 'there was no connection');
    }));

  it('one process is killed, and the server recovers from the crash', () =>
    underWriters(async () => {
      const [backend] = await server.query(
        "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      );
      process.kill(Number(backend?.['pid']), 'SIGKILL');
      await delay(100);
    }));

  it(`the server is stopped for ${STOPPED_MS / 1000} s and started again`, () =>
    underWriters(async () => {
      process.kill(server.pid, 'SIGINT');
      await ended(server.pid);
      await delay(STOPPED_MS);
      await server.start();
    }));

  it(`every process is stopped for ${PAUSE_MS / 1000} s (SIGSTOP), while /ready answers`, () =>
    underWriters(async () => {
      const processes = (await server.query('SELECT pid FROM pg_stat_activity')).map(({ pid }) =>
        Number(pid),
      );
      const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
        for (const pid of [server.pid, ...processes]) {
          try {
            process.kill(pid, name);
          } catch {
            // Its connection has ended meanwhile.
          }
        }
      };
      signal('SIGSTOP');
      try {
        let slowest = 0;
        for (const until = Date.now() + PAUSE_MS; Date.now() < until; await delay(200)) {
          const askedAt = Date.now();
          const { status } = await fetch(`${service.url}/ready`);
          assert.equal(status, 503);
          slowest = Math.max(slowest, Date.now() - askedAt);
        }
        console.log(`      slowest /ready ${slowest} ms`);
        assert.ok(slowest <= READY_MS + SLACK_MS, `${slowest} ms`);
      } finally {
        signal('SIGCONT');
      }
    }));
});
