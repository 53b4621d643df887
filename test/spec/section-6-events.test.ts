import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { eachEndpoint } from './each-endpoint.js';
import { send } from './http.js';

interface Told {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly type?: string; readonly workspace_id?: string; readonly data?: object };
}

/** Reads a stream until `enough` says so. */
async function follow(
  url: string,
  enough: (told: readonly Told[]) => boolean,
  headers: Record<string, string> = {},
  opened: () => Promise<unknown> = async () => undefined,
): Promise<Told[]> {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const told: Told[] = [];
  let text = '';
  let begun = false;
  for await (const part of response.body ?? []) {
    text += Buffer.from(part as Uint8Array).toString();
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      if (field('event') === '') continue;
      told.push({ id: field('id'), event: field('event'), data: JSON.parse(field('data')) as Told['data'] });
    }
    if (!begun && told.length > 0) await opened();
    begun ||= told.length > 0;
    if (enough(told)) break;
  }
  leaving.abort();
  return told;
}

describe('interface.md 6, contract.md 8: events', () =>
  eachEndpoint((endpoint) => {
    it('6 the server-sent event stream of 4.4 sends changes with id, event and JSON', async () => {
      let workspace = '';
      const told = await follow(
        `${endpoint.url}/api/v1/stream`,
        (so) => so.some(({ event }) => event === 'project.created'),
        {},
        async () => {
          ({ id: workspace } = await endpoint.service.use<{ id: string }>('workspaces_create', {
            name: 'told',
          }));
          await endpoint.service.use('projects_create', { workspace_id: workspace, name: 'p' });
        },
      );
      assert.deepEqual(
        told.map(({ event }) => event),
        ['stream.opened', 'workspace.created', 'project.created'],
      );
      assert.equal(new Set(told.map(({ id }) => id)).size, 3);
      const [, created] = told;
      assert.equal(created?.data.type, 'workspace.created');
      assert.equal(created?.data.workspace_id, workspace);
    });

    it('6 ingested files are announced once they are searchable: file.indexed, then project.ready', async () => {
      const { id } = await endpoint.service.use<{ id: string }>('workspaces_create', { name: 'files' });
      const project = await endpoint.service.use<{ id: string }>('projects_create', {
        workspace_id: id,
        name: 'p',
      });
      const told = await follow(
        `${endpoint.url}/api/v1/stream?workspace_id=${id}&types=file.indexed,project.ready`,
        (so) => so.some(({ event }) => event === 'project.ready'),
        {},
        () =>
          endpoint.service.use('files_ingest', {
            project_id: project.id,
            files: [{ path: 'a.md', content: '# Lamp' }],
          }),
      );
      assert.deepEqual(
        told.map(({ event }) => event),
        ['stream.opened', 'file.indexed', 'project.ready'],
      );
      assert.deepEqual(told[1]?.data.data, { project_id: project.id, path: 'a.md' });
    });

    it('8 replays the events after Last-Event-ID; sends reset for an unknown id', async () => {
      const stream = `${endpoint.url}/api/v1/stream?types=workspace.created`;
      const [opened] = await follow(stream, (so) => so.length === 1);
      await endpoint.service.use('workspaces_create', { name: 'missed' });
      const replayed = await follow(stream, (so) => so.length === 2, { 'last-event-id': opened?.id ?? '' });
      assert.deepEqual(
        replayed.map(({ event }) => event),
        ['stream.opened', 'workspace.created'],
      );
      const [lost] = await follow(stream, (so) => so.length === 1, { 'last-event-id': '1.1' });
      assert.equal(lost?.event, 'reset');
    });

    it('6 MCP subscriptions carry the same changes: notifications/resources/updated', async () => {
      const { id } = await endpoint.service.use<{ id: string }>('workspaces_create', { name: 'watched' });
      const project = await endpoint.service.use<{ id: string }>('projects_create', {
        workspace_id: id,
        name: 'p',
      });
      const uri = `service://projects/${project.id}`;
      const client = new Client({ name: 'spec', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${endpoint.url}/mcp`)));
      const updated = new Promise<string>((resolve) => {
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
      });
      const subscription = await client.listen({ resourceSubscriptions: [uri] });
      await endpoint.service.use('projects_update', { project_id: project.id, name: 'renamed' });
      assert.equal(await updated, uri);
      await subscription.close();
      await client.close();
    });

    for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/progress']) {
      it(`6 the JSON-RPC endpoint accepts ${method}`, async () => {
        const { status, text } = await send(endpoint.url, 'POST', '/api/v1/rpc', {
          body: { jsonrpc: '2.0', method, params: {} },
        });
        assert.deepEqual([status, text], [202, '']);
      });
    }
  }));
