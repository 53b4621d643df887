import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { bearer, startHosted, type Account, type Hosted } from '../security/start-hosted.js';
import { NOBODY, PAGE_FIELDS, RFC3339_MS, dataOf, issuePath, send } from './http.js';

interface Usage {
  readonly items: ReadonlyArray<{
    readonly start: string;
    readonly tool: string;
    readonly outcome: string;
    readonly calls: number;
    readonly p50_ms: number;
    readonly p95_ms: number;
  }>;
  readonly total: number;
  readonly has_next: boolean;
  readonly periods: ReadonlyArray<{
    readonly start: string;
    readonly calls: number;
    readonly failed: number;
  }>;
}

eachDatabase((_fresh, engine) => {
  describe('contract.md 2: GET /v1/usage', () => {
    let service: Hosted;
    let root: Account;
    let ann: Account;
    let workspaceId: string;
    before(async () => {
      service = await startHosted({}, engine);
      root = await service.account('root');
      ann = await service.account('ann');
      const made = await use('POST', '/v1/workspaces', ann, { name: 'ours' });
      workspaceId = dataOf<{ id: string }>(made.body).id;
      for (let i = 0; i < 5; i += 1) await use('GET', `/v1/workspaces/${workspaceId}`);
      await use('POST', '/v1/search/pattern', ann, { workspace_id: workspaceId, query: '(' });
    });
    after(() => service.stop());

    const use = (method: string, path: string, by: Account = ann, body?: object) =>
      send(service.url, method, path, { headers: bearer(by.key), ...(body && { body }) });
    const usage = async (query: string, by = root) =>
      dataOf<Usage>((await use('GET', `/v1/usage?${query}`, by)).body);
    const find = ({ items }: Usage, tool: string, outcome = 'OK') =>
      items.find((item) => item.tool === tool && item.outcome === outcome);

    it('calls by tool, outcome and time, p50 and p95', async () => {
      const all = await usage('per_page=100');
      assert.deepEqual(Object.keys(all).sort(), [...PAGE_FIELDS, 'periods'].sort());
      const got = find(all, 'workspaces_get') ?? assert.fail();
      assert.equal(got.calls, 5);
      assert.match(got.start, RFC3339_MS);
      assert.ok(got.p50_ms > 0 && got.p95_ms >= got.p50_ms, JSON.stringify(got));
      assert.equal(find(all, 'search_pattern', 'INVALID_ARGUMENT')?.calls, 1);
      const sum = (of: ReadonlyArray<{ readonly calls: number }>) =>
        of.reduce((total, { calls }) => total + calls, 0);
      assert.equal(sum(all.items), sum(all.periods));
      assert.ok(all.periods.some(({ failed }) => failed > 0));
      const daily = await usage('granularity=day&per_page=100');
      for (const { start } of [...daily.items, ...daily.periods]) assert.match(start, /T00:00:00\.000Z$/);
      assert.equal(find(daily, 'workspaces_get')?.calls, 5);
    });

    it('paging', async () => {
      const { total } = await usage('per_page=1&granularity=day');
      const last = await usage(`per_page=1&granularity=day&page=${total}`);
      assert.deepEqual([last.items.length, last.has_next], [1, false]);
      assert.deepEqual((await usage('page=1000000')).items, []);
    });

    it('since and until', async () => {
      const past = await usage('since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z');
      assert.deepEqual([past.total, past.periods], [0, []]);
    });

    it('for administrators, or of one workspace by its admins', async () => {
      const ours = await usage(`workspace_id=${workspaceId}&per_page=100`, ann);
      assert.equal(find(ours, 'workspaces_get')?.calls, 5);
      assert.equal(find(ours, 'auth_create_api_key'), undefined, 'is of no workspace');
      const bob = await service.account('bob');
      for (const [by, query, status] of [
        [ann, '', 403],
        [bob, `workspace_id=${workspaceId}`, 404],
        [ann, `workspace_id=${NOBODY}`, 404],
      ] as const)
        assert.equal((await use('GET', `/v1/usage?${query}`, by)).status, status, query);
      const asked = { email: bob.email, role: 'member' };
      const pending = await use('POST', `/api/v1/workspaces/${workspaceId}/members`, ann, asked);
      const membership = dataOf<{ id: string }>(pending.body).id;
      await use('POST', `/v1/auth/invitations/${membership}/accept`, bob, {});
      assert.equal((await use('GET', `/v1/usage?workspace_id=${workspaceId}`, bob)).status, 403);
      assert.equal((await send(service.url, 'GET', '/v1/usage')).status, 401);
    });

    it('what is wrong gets 400 with the argument', async () => {
      for (const [query, path] of [
        ['granularity=minute', '/granularity'],
        ['since=yesterday', '/since'],
        ['until=%00', '/until'],
        ['since=2024-01-02T00:00:00Z&until=2024-01-01T00:00:00Z', '/since'],
        ['since=2024-01-01T00:00:00Z&until=2024-01-09T00:00:00Z', '/since'],
        ['since=2020-01-01T00:00:00Z&granularity=day', '/since'],
        ['workspace_id=ours', '/workspace_id'],
        ['tool=help', '/tool'],
      ] as const) {
        const { status, body } = await use('GET', `/v1/usage?${query}`, root);
        assert.deepEqual([status, issuePath(body.error)], [400, path], query);
      }
    });
  });
});
