import assert from 'node:assert/strict';
import { startService, type Service } from '../start-service.js';
import { PAGE_FIELDS, RFC3339_MS, UUIDV7, dataOf, send } from './http.js';

interface PageOf<T> {
  readonly items: readonly T[];
  readonly total: number;
}
type Made = Readonly<Record<string, unknown>> & { readonly id: string };

describe('interface.md 2, 3, 4.1, 4.2 and 7: memory', () => {
  let service: Service;
  let workspace_id: string;
  let event: Made;
  let node: Made;
  before(async () => {
    service = await startService({ search: { training: false } });
    workspace_id = (await service.use<Made>('workspaces_create', { name: 'memory' })).id;
  });
  after(() => service.stop());

  const make = async (path: string, body: object): Promise<Made> => {
    const reply = await send(service.url, 'POST', path, { body: { workspace_id, ...body } });
    assert.equal(reply.status, 201, reply.text);
    return dataOf<Made>(reply.body);
  };
  const get = async <T>(path: string): Promise<T> => {
    const reply = await send(service.url, 'GET', path);
    assert.equal(reply.status, 200, reply.text);
    return dataOf<T>(reply.body);
  };

  it('4.1 POST /v1/memory/events: store a memory event, which belongs to a workspace and has an indexing_status', async () => {
    const body = {
      event_type: 'bug',
      title: 'The lamp flickers',
      content: 'Since the storm, every evening.',
    };
    event = await make('/v1/memory/events', body);
    assert.match(event.id, UUIDV7);
    assert.match(String(event['occurred_at']), RFC3339_MS);
    assert.deepEqual(
      [event['workspace_id'], event['indexing_status'], event['importance'], event['duplicates']],
      [workspace_id, 'pending', 'medium', []],
    );
  });

  it('4.1 POST /v1/memory/nodes: create a knowledge node, which has an indexing_status', async () => {
    const body = { node_type: 'decision', title: 'Oil, not gas', content: 'Oil, because it keeps.' };
    node = await make('/v1/memory/nodes', body);
    assert.match(node.id, UUIDV7);
    assert.deepEqual(
      [node['status'], node['indexing_status'], node['confidence'], node['valid_to']],
      ['active', 'pending', 1, null],
    );
  });

  it('4.1 GET /v1/memory/events/workspace/:id: list memory events of a workspace', async () => {
    const page = await get<PageOf<Made>>(`/v1/memory/events/workspace/${workspace_id}`);
    assert.deepEqual(Object.keys(page).sort(), PAGE_FIELDS);
    assert.deepEqual(
      page.items.map(({ id }) => id),
      [event.id],
    );
  });

  it('3: a record becomes indexed, and then every filter says so', async () => {
    const of = async (status: string) =>
      (
        await get<PageOf<Made>>(
          `/api/v1/memory/events?workspace_id=${workspace_id}&indexing_status=${status}`,
        )
      ).total;
    while ((await of('indexed')) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(
      [await of('all'), await of('completed'), await of('pending'), await of('failed')],
      [1, 1, 0, 0],
    );
  });

  for (const [kind, made] of [
    ['events', () => event],
    ['nodes', () => node],
  ] as const) {
    it(`4.2 GET /api/v1/memory/${kind}: optional query indexing_status, all when omitted`, async () => {
      const page = await get<PageOf<Made>>(`/api/v1/memory/${kind}`);
      assert.deepEqual(
        page.items.map(({ id }) => id),
        [made().id],
      );
    });

    it(`7, row 3: an unknown indexing_status on the list of ${kind} is 400, and the message lists the accepted values`, async () => {
      const path = `/api/v1/memory/${kind}?indexing_status=done`;
      const { status, body } = await send(service.url, 'GET', path);
      assert.equal(status, 400);
      assert.match(body.error?.message ?? '', /all.*pending.*indexed.*completed.*failed/);
    });
  }

  it('4.1 POST /v1/memory/search: search memory', async () => {
    const reply = await send(service.url, 'POST', '/v1/memory/search', {
      body: { workspace_id, query: 'lamp in the storm' },
    });
    assert.equal(reply.status, 200);
    const { results } = dataOf<{ results: Made[] }>(reply.body);
    assert.deepEqual([results[0]?.id, results[0]?.['kind']], [event.id, 'event']);
  });

  it('4.1 GET /v1/memory/search/timeline/:id: get memory timeline', async () => {
    const line = await get<PageOf<Made> & { buckets: Array<{ count: number }> }>(
      `/v1/memory/search/timeline/${workspace_id}`,
    );
    assert.deepEqual([line.total, line.buckets[0]?.count], [2, 2]);
  });

  it('4.1 GET /v1/memory/search/decisions: get decision summaries', async () => {
    const { items } = await get<PageOf<Made>>(`/v1/memory/search/decisions?workspace_id=${workspace_id}`);
    assert.deepEqual(
      items.map(({ title, rationale }) => [title, rationale]),
      [['Oil, not gas', 'Oil, because it keeps.']],
    );
  });

  it('contract.md 3: the overview counts and shows them', async () => {
    const overview = await get<{ counts: object; recent_events: Made[]; recent_decisions: Made[] }>(
      `/v1/workspaces/${workspace_id}/overview`,
    );
    const { events, nodes } = overview.counts as { events: number; nodes: number };
    assert.deepEqual([events, nodes], [1, 1]);
    assert.deepEqual([overview.recent_events[0]?.id, overview.recent_decisions[0]?.id], [event.id, node.id]);
  });
});
