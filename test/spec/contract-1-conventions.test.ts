import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { bearer, startHosted, type Account, type Hosted } from '../security/start-hosted.js';
import { wholeWindow } from '../security/whole-window.js';
import { dataOf, send, type Reply } from './http.js';

eachDatabase((_fresh, engine) => {
  describe('contract.md 1: write idempotency', () => {
    let service: Hosted;
    let ann: Account;
    before(async () => {
      service = await startHosted({}, engine);
      ann = await service.account('ann');
    });
    after(() => service.stop());

    const create = (key: string, body: object, by = ann, path = '/v1/workspaces') =>
      send(service.url, 'POST', path, { body, headers: { ...bearer(by.key), 'idempotency-key': key } });
    const idOf = (reply: Reply) => dataOf<{ id: string }>(reply.body).id;

    it('the same key and body replays the first reply, with its status', async () => {
      const [first, again] = [await create('a', { name: 'once' }), await create('a', { name: 'once' })];
      assert.deepEqual([first.status, again.status], [201, 201]);
      assert.deepEqual(again.body.data, first.body.data);
      assert.equal(again.header('idempotency-replayed'), 'true');
      assert.equal(first.header('idempotency-replayed'), null);
    });

    it('the same key with another body is 409 CONFLICT', async () => {
      await create('b', { name: 'one' });
      const other = await create('b', { name: 'two' });
      assert.deepEqual([other.status, other.body.error?.code], [409, 'CONFLICT']);
    });

    it('the key is the caller’s own, and another key is another record', async () => {
      const bob = await service.account('bob');
      const ids = [
        idOf(await create('c', { name: 'x' })),
        idOf(await create('c', { name: 'x' }, bob)),
        idOf(await create('d', { name: 'x' })),
      ];
      assert.equal(new Set(ids).size, 3);
    });

    it('ten at once make one record', async () => {
      const replies = await Promise.all(Array.from({ length: 10 }, () => create('e', { name: 'parallel' })));
      assert.equal(new Set(replies.map(idOf)).size, 1);
    });

    it('auth routes are excepted: their replies hold secrets, so each makes its own', async () => {
      const path = '/v1/auth/api-keys';
      const [one, two] = [
        await create('f', { name: 'k' }, ann, path),
        await create('f', { name: 'k' }, ann, path),
      ];
      assert.deepEqual([one.status, two.status], [201, 201]);
      assert.notEqual(one.body.data?.['secret_key'], two.body.data?.['secret_key']);
    });
  });
});

describe('contract.md 1: rate limits', () => {
  let service: Hosted;
  let ann: Account;
  let bob: Account;
  before(async () => {
    const limits = { read_per_minute: 5, write_per_minute: 60, open_per_minute: 60 };
    service = await startHosted({ limits });
    [ann, bob] = [await service.account('ann'), await service.account('bob')];
  });
  after(() => service.stop());

  const numbers = (reply: Reply) =>
    ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => Number(reply.header(name)));
  const list = (by: Account, path = '/v1/workspaces') =>
    send(service.url, 'GET', path, { headers: bearer(by.key) });

  it('headers give the limit, the calls that remain and the reset; over the limit 429 with Retry-After; principals are counted separately', async () => {
    await wholeWindow();
    const [limit, remaining, reset] = numbers(await list(ann));
    assert.deepEqual([limit, remaining], [5, 4]);
    assert.ok(reset !== undefined && reset >= 1 && reset <= 60);
    for (let i = 3; i >= 0; i--) assert.equal(numbers(await list(ann))[1], i);

    const over = await list(ann);
    assert.deepEqual([over.status, over.body.error?.code], [429, 'RATE_LIMITED']);
    const retry = Number(over.header('retry-after'));
    assert.ok(Number.isInteger(retry) && retry >= 1 && retry <= 60, over.header('retry-after') ?? 'none');
    assert.match(over.body.error?.message ?? '', /Try again in \d+ s/);

    assert.equal((await list(bob)).status, 200, 'another principal');
    assert.equal((await list(ann, '/v1/auth/me')).status, 200, 'another route group');
    const byRpc = await send(service.url, 'POST', '/api/v1/rpc', {
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'workspaces_list', arguments: {} },
      },
      headers: bearer(ann.key),
    });
    assert.equal(byRpc.status, 429, 'the same principal by another surface');
    const tokens = await list({ ...ann, key: ann.access_token });
    assert.equal(tokens.status, 429, 'the same principal by another credential');
  });
});

describe('contract.md 1: status', () => {
  let service: Hosted;
  let ann: Account;
  before(async () => {
    service = await startHosted();
    ann = await service.account('ann');
  });
  after(() => service.stop());
  const use = (method: string, path: string, body?: object) =>
    send(service.url, method, path, { headers: bearer(ann.key), ...(body && { body }) });

  it('201 for a route that creates a record, 200 for login, refresh, logout and password', async () => {
    const made = await use('POST', '/v1/auth/api-keys', { name: 'k' });
    assert.equal(made.status, 201);
    const { body: loggedIn, status } = await send(service.url, 'POST', '/v1/auth/login', {
      body: { email: ann.email, password: 'correct horse battery' },
    });
    assert.equal(status, 200);
    const { refresh_token } = dataOf<{ refresh_token: string }>(loggedIn);
    const refreshed = await send(service.url, 'POST', '/v1/auth/refresh', { body: { refresh_token } });
    assert.equal(refreshed.status, 200);
    const spent = dataOf<{ refresh_token: string }>(refreshed.body);
    const out = await use('POST', '/v1/auth/logout', { refresh_token: spent.refresh_token });
    assert.deepEqual([out.status, out.body.data], [200, { revoked: true }]);
  });

  it('DELETE answers {id, deleted: true}; a revocation {id, revoked: true}', async () => {
    const { id } = dataOf<{ id: string }>((await use('POST', '/v1/workspaces', { name: 'w' })).body);
    assert.deepEqual((await use('DELETE', `/v1/workspaces/${id}`)).body.data, { id, deleted: true });
    const key = dataOf<{ id: string }>((await use('POST', '/v1/auth/api-keys', { name: 'k' })).body);
    const revoked = await use('DELETE', `/v1/auth/api-keys/${key.id}`);
    assert.deepEqual([revoked.status, revoked.body.data], [200, { id: key.id, revoked: true }]);
    const asked = { email: 'later@example.com' };
    const invitation = dataOf<{ id: string }>((await use('POST', '/v1/auth/invitations', asked)).body);
    const gone = await use('DELETE', `/v1/auth/invitations/${invitation.id}`);
    assert.deepEqual([gone.status, gone.body.data], [200, { id: invitation.id, revoked: true }]);
  });
});
