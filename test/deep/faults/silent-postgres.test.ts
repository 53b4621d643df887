import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { freshDatabase } from '@service-mcp/core/testing';
import { startService, type ServiceProcess } from '../../service-process.js';
import { postgresBehindProxy, type ProxiedPostgres } from './postgres-behind-proxy.js';

const CALLERS = 12;
const RECOVERY_MS = 30_000;
const READY_MS = 2_000;
const STOP_MS = 10_000;
/** For a machine that is busy with other tests. */
const SLACK_MS = 500;

describe('fault: connections to PostgreSQL that go silent', () => {
  let database: ProxiedPostgres;
  let service: ServiceProcess;
  before(async () => {
    database = await postgresBehindProxy();
    service = await startService(database.dataDir, database.env);
    await service.call('workspaces_create', { name: 'w' });
  });
  after(async () => {
    await service.end('SIGKILL');
    await database.drop();
  });

  async function storedPaths(project_id: string): Promise<string[]> {
    const paths: string[] = [];
    for (let page = 1, more = true; more; page++) {
      const found = await service.call<{ items: Array<{ path: string }>; has_next: boolean }>('files_list', {
        project_id,
        page,
        per_page: 100,
      });
      paths.push(...found.items.map(({ path }) => path));
      more = found.has_next;
    }
    return paths;
  }

  it('calls recover within 30 s, and /ready answers within 2 s all the time', async () => {
    const { id: project_id } = await service.call<{ id: string }>('projects_create', { name: 'p' });
    const stopping = new AbortController();
    const recovered: number[] = [];
    const acknowledged = new Set<string>();
    let silentAt = Infinity;
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let n = 0; !stopping.signal.aborted; n++) {
        const path = `c${caller}/f${n}.md`;
        const files = [{ path, content: `caller ${caller} file ${n}` }];
        const startedAt = Date.now();
        const work = caller % 2 === 0 ? ['workspaces_list', {}] : ['files_ingest', { project_id, files }];
        const isAnswered = await service.call(work[0] as string, work[1] as object).then(
          () => true,
          () => false,
        );
        if (isAnswered && work[0] === 'files_ingest') acknowledged.add(path);
        if (isAnswered && startedAt > silentAt) recovered[caller] ??= Date.now() - silentAt;
      }
    });
    await delay(2_000);
    database.proxy.silence();
    silentAt = Date.now();
    let slowestReady = 0;
    while (Object.keys(recovered).length < CALLERS && Date.now() - silentAt < RECOVERY_MS * 2) {
      const askedAt = Date.now();
      await (await fetch(`${service.url}/ready`)).text();
      slowestReady = Math.max(slowestReady, Date.now() - askedAt);
      await delay(100);
    }
    stopping.abort();
    await Promise.all(callers);
    const slowest = Math.max(...recovered);
    const stored = await storedPaths(project_id);
    const lost = [...acknowledged].filter((path) => !stored.includes(path)).length;
    const twice = stored.length - new Set(stored).size;
    console.log(
      `      acknowledged ${acknowledged.size}, lost ${lost}, twice ${twice}; every caller is served again after ${slowest} ms; ` +
        `slowest /ready ${slowestReady} ms`,
    );
    assert.deepEqual({ lost, twice }, { lost: 0, twice: 0 });
    assert.equal(Object.keys(recovered).length, CALLERS, 'not every caller was served again');
    assert.ok(slowest <= RECOVERY_MS, `${slowest} ms`);
    assert.ok(slowestReady <= READY_MS + SLACK_MS, `${slowestReady} ms`);
  });

  it('SIGTERM ends the service within 10 s while the whole database is silent and calls wait for it', async () => {
    const waiting = Array.from({ length: CALLERS }, () => service.call('workspaces_list', {}).catch(() => 0));
    database.proxy.silence(true);
    waiting.push(
      ...Array.from({ length: CALLERS }, () => service.call('workspaces_list', {}).catch(() => 0)),
    );
    await delay(500);
    const toldAt = Date.now();
    service.child.kill('SIGTERM');
    if (service.child.exitCode === null) await once(service.child, 'exit');
    const took = Date.now() - toldAt;
    console.log(`      SIGTERM: ended after ${took} ms`);
    assert.ok(took <= STOP_MS + SLACK_MS, `${took} ms`);
    await Promise.all(waiting);
  });
});

describe('a PostgreSQL that does not tell what its connections do', () => {
  it('answers a query that takes longer than silence', async () => {
    const made = await freshDatabase('postgresql');
    try {
      const first = await made.open();
      await first.sql.raw(`DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET track_activities = off', current_database());
      END $$`);
      await first.close();
      const database = await made.open();
      await database.sql.raw('SELECT pg_sleep(10)');
      await database.close();
    } finally {
      await made.drop();
    }
  });
});
