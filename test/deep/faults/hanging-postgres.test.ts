import assert from 'node:assert/strict';
import { runBinary } from '../../command.js';
import { startService, type ServiceProcess } from '../../service-process.js';
import { postgresBehindProxy, type ProxiedPostgres } from './postgres-behind-proxy.js';

const CALL_MS = 16_000;
const DOCTOR_MS = 45_000;

describe('fault: a proxy before PostgreSQL that accepts connections and hangs', () => {
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

  it('calls over connections that it holds end soon, with the reason and what the operator does', async () => {
    database.proxy.silence(true);
    const startedAt = Date.now();
    const error = await service.call('workspaces_list', {}).then(
      () => assert.fail('it was answered'),
      (thrown: unknown) => String(thrown),
    );
    const took = Date.now() - startedAt;
    assert.match(error, /UNAVAILABLE.*The database does not answer.*the operator/s);
    assert.ok(took <= CALL_MS, `${took} ms`);
    const ready = (await (await fetch(`${service.url}/ready`)).json()) as {
      checks: Array<{ name: string; remedy?: string }>;
    };
    assert.match(ready.checks[0]?.remedy ?? '', /DATABASE_URL.*proxy/);
    await database.proxy.resume();
    await service.call('workspaces_list', {});
  });

  it('that hangs in the middle of doctor ends it soon, and is what doctor says', async () => {
    const { proxy } = database;
    for (const afterMs of [700, 1_500, 2_500]) {
      await proxy.resume();
      const startedAt = Date.now();
      const timer = setTimeout(() => proxy.silence(true), afterMs);
      const args = ['doctor', '--data', database.dataDir, '--json'];
      const { code, stdout } = await runBinary(args, { env: database.env });
      const took = Date.now() - startedAt;
      clearTimeout(timer);
      assert.ok(took <= DOCTOR_MS, `${took} ms`);
      const { checks } = JSON.parse(stdout) as {
        checks: Array<{ name: string; status: string; message: string; remedy?: string }>;
      };
      console.log(
        `      after ${afterMs} ms: ${took} ms, ${checks.map((c) => `${c.name} ${c.status}: ${c.message}`).join('; ')}`,
      );
      const failed = checks.filter(({ name, status }) => status === 'fail' && name !== 'service');
      if (code === 0) continue;
      for (const { message, remedy } of failed) {
        assert.doesNotMatch(message, /itself failed/);
        assert.match(remedy ?? '', /DATABASE_URL/, message);
      }
    }
    await proxy.resume();
  });
});
