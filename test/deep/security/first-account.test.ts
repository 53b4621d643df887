import assert from 'node:assert/strict';
import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { prepareServing, type ServeProcess } from '../../oauth/support/serve-process.js';
import { ask, codeOf, JSON_BODY } from '../../security/raw-http.js';
import { bearer, startHosted } from '../../security/start-hosted.js';
import { PASSWORD } from '../../security/start-team.js';

const person = (name: string, more: object = {}) =>
  JSON.stringify({ email: `${name}@example.com`, password: PASSWORD, ...more });
const OTHER_PORT = 'http://localhost:3000';

describe('threat: who comes first takes the deployment', () => {
  describe('at an address that others reach, with registration closed', () => {
    const ORIGIN = 'https://memory.example.org';
    let database: TestDatabase;
    let service: ServeProcess & { told: { register?: string } };
    before(async () => {
      database = await freshDatabase('sqlite');
      const auth = { registration: 'closed' };
      service = await (await prepareServing(database, { server: { base_url: ORIGIN }, auth })).start();
    });
    after(async () => {
      await service.stop();
      await database.drop();
    });
    const register = (body: string) =>
      ask(`http://127.0.0.1:${service.port}`, '/v1/auth/register', {
        method: 'POST',
        headers: JSON_BODY,
        body,
      });

    it('nobody registers without the token that the terminal shows, and with it one person', async () => {
      for (const more of [{}, { setup_token: 'x' }, { invitation: 'x' }, { administrator: true }])
        assert.ok(
          [400, 403].includes((await register(person('mallory', more))).status),
          JSON.stringify(more),
        );
      const shown = new URL(service.told.register ?? '');
      assert.equal(shown.origin, ORIGIN);
      const setup_token = shown.searchParams.get('setup_token');
      const made = await register(person('root', { setup_token }));
      assert.equal(made.status, 201, made.text);
      const { access_token } = made.json<{ data: { access_token: string } }>().data;
      const log = await ask(`http://127.0.0.1:${service.port}`, '/v1/auth/audit', {
        headers: bearer(access_token),
      });
      assert.equal(log.status, 200, 'it administers the deployment');
      const again = await register(person('second', { setup_token }));
      assert.deepEqual([again.status, codeOf(again)], [403, 'PERMISSION_DENIED']);
    });
  });

  it('on loopback the local owner is first: whoever registers administers nothing', async () => {
    const service = await startHosted();
    try {
      assert.ok(await service.host.firstRun?.prepare());
      const mallory = await service.account('mallory');
      for (const path of ['/v1/auth/audit', '/v1/auth/invitations'])
        assert.equal((await ask(service.url, path, { headers: bearer(mallory.key) })).status, 403, path);
    } finally {
      await service.stop();
    }
  });

  it('pages of other ports of this machine neither register nor read, and call MCP with a credential alone', async () => {
    const service = await startHosted();
    try {
      const root = await service.account('root');
      const from = { origin: OTHER_PORT, ...JSON_BODY };
      for (const [method, path, body] of [
        ['POST', '/v1/auth/register', person('page')],
        ['POST', '/v1/auth/login', person('root')],
        ['GET', '/v1/deployment', undefined],
        ['GET', '/v1/workspaces', undefined],
        ['POST', '/api/v1/tools/auth_register', person('page')],
        ['POST', '/api/v1/rpc', '{}'],
      ] as const) {
        const headers = { ...from, ...bearer(root.key) };
        const answer = await ask(service.url, path, { method, headers, ...(body !== undefined && { body }) });
        assert.equal(answer.status, 403, path);
        assert.equal(answer.headers['access-control-allow-origin'], undefined, path);
      }
      const accept = 'application/json, text/event-stream';
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
      const send = (path: string, more: Record<string, string>) =>
        ask(service.url, path, { method: 'POST', headers: { ...from, accept, ...more }, body });
      for (const path of ['/mcp', '/agent-a', '/agent-b', '/client']) {
        const served = await send(path, bearer(root.key));
        assert.notEqual(served.status, 403, path);
        assert.equal(served.headers['access-control-allow-origin'], OTHER_PORT);
        assert.equal(served.headers['access-control-allow-credentials'], undefined);
        assert.equal((await send(path, {})).status, 401, path);
      }
    } finally {
      await service.stop();
    }
  });
});
