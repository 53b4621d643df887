import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { postJson, rpc } from '@service-mcp/core/testing';
import { runBinary } from '../../command.js';
import { startService, type ServiceProcess } from '../../service-process.js';
import { postgresBehindProxy, type ProxiedPostgres } from './postgres-behind-proxy.js';

const RECOVERY_MS = 10_000;

interface Failed {
  readonly error: { readonly code: unknown; readonly data?: { readonly code: string } };
  readonly result: { readonly isError?: boolean };
}

describe('fault: PostgreSQL is stopped', () => {
  let database: ProxiedPostgres;
  let service: ServiceProcess;
  before(async () => {
    database = await postgresBehindProxy();
    service = await startService(database.dataDir, {
      ...database.env,
      SERVICE_LOG_LEVEL: 'info',
      SERVICE_WORKERS: 'inside',
    });
    await service.call('workspaces_create', { name: 'w' });
  });
  after(async () => {
    await service.end('SIGKILL');
    await database.drop();
  });

  const ready = async () => (await fetch(`${service.url}/ready`)).status;

  it('every surface says UNAVAILABLE with Retry-After, /ready 503, and the log has the outage once', async () => {
    await database.proxy.refuse();

    const rest = await fetch(`${service.url}/v1/workspaces`);
    assert.equal(rest.status, 503);
    assert.match(rest.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(((await rest.json()) as Failed).error.code, 'UNAVAILABLE');

    const tool = { name: 'workspaces_list', arguments: {} };
    const called = await postJson<Failed>(`${service.url}/api/v1/rpc`, rpc('tools/call', tool));
    assert.equal(called.body.error.data?.code, 'UNAVAILABLE', called.raw);
    assert.match(called.header('retry-after') ?? '', /^\d+$/);

    const compatible = await postJson<Failed>(`${service.url}/api/v1/tools/workspaces_list`, {});
    assert.deepEqual([compatible.status, compatible.body.error.code], [503, 'UNAVAILABLE']);

    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const accept = 'application/json, text/event-stream';
    const mcp = await postJson<Failed>(`${service.url}/mcp`, rpc('tools/call', { ...tool, _meta: meta }), {
      accept,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': tool.name,
    });
    assert.match(mcp.raw, /UNAVAILABLE/);
    assert.match(mcp.header('retry-after') ?? '', /^\d+$/);

    const command = await runBinary(['call', '--url', service.url, 'workspaces_list']);
    assert.notEqual(command.code, 0);
    assert.match(command.stderr, /database does not answer/);

    assert.equal(await ready(), 503);
    const calls = Array.from({ length: 100 }, () =>
      service.call('workspaces_list', {}).then(
        () => 'answered',
        (error: unknown) => String(error),
      ),
    );
    for (const outcome of await Promise.all(calls)) assert.match(outcome, /UNAVAILABLE/);

    await delay(6_000);
    await database.proxy.resume();
    const resumedAt = Date.now();
    while ((await service.call('workspaces_list', {}).catch(() => undefined)) === undefined) await delay(20);
    const took = Date.now() - resumedAt;
    console.log(`      the first call is answered ${took} ms after the database is back`);
    assert.ok(took <= RECOVERY_MS, `${took} ms`);
    assert.equal(await ready(), 200);
    while (!service.said().includes('the database is back')) await delay(50);
    const troubles = service.said().match(/^.*"level":[45]0.*$/gm) ?? [];
    assert.equal(troubles.length, 1, service.said());
    assert.match(troubles[0] ?? '', /the database is unavailable/);
  });
});
