import assert from 'node:assert/strict';
import { startHosted, type Hosted } from '../security/start-hosted.js';
import { startService, type Service } from '../start-service.js';
import { INITIALIZE, dataOf, issuePath, rpc, send } from './http.js';

interface Deployment {
  readonly server: string;
  readonly version: string;
  readonly accounts: boolean;
  readonly read_only: boolean;
  readonly plugins: ReadonlyArray<{ readonly id: string; readonly description: string }>;
  readonly toolsets: ReadonlyArray<{ readonly id: string; readonly tools: readonly string[] }>;
  readonly views: ReadonlyArray<{ readonly plugin: string; readonly id: string; readonly list: string }>;
  readonly events: ReadonlyArray<{ readonly type: string; readonly description: string }>;
}

const idsOf = ({ views }: Deployment) => views.map(({ plugin, id }) => `${plugin}/${id}`);
const OF_WORKSPACES = [
  'workspaces/workspaces',
  'workspaces/projects',
  'workspaces/members',
  'workspaces/invitations',
];

describe('contract.md 2: GET /v1/deployment', () => {
  let alone: Service;
  let hosted: Hosted;
  before(async () => {
    [alone, hosted] = await Promise.all([
      startService({ toolsets: { exclude: ['projects_create'] } }),
      startHosted({ toolsets: { read_only: true } }),
    ]);
  });
  after(() => Promise.all([alone.stop(), hosted.stop()]));

  const get = async (url: string) => dataOf<Deployment>((await send(url, 'GET', '/v1/deployment')).body);

  it('is open, and the same under both prefixes and over JSON-RPC', async () => {
    const { url } = hosted;
    const data = await get(url);
    assert.deepEqual(dataOf((await send(url, 'GET', '/api/v1/deployment')).body), data);
    const { metadata } = (await send(url, 'GET', '/v1/deployment')).body;
    assert.deepEqual([data.server, data.version], ['service-mcp', metadata.version]);
    await rpc(alone.url, 'initialize', INITIALIZE);
    const called = await rpc(alone.url, 'tools/call', { name: 'deployment_get', arguments: {} });
    assert.deepEqual(called.body.result?.['structuredContent'], await get(alone.url));
  });

  it('tells whether there are accounts and whether it is read-only', async () => {
    const [own, theirs] = await Promise.all([get(alone.url), get(hosted.url)]);
    assert.deepEqual([own.accounts, own.read_only], [false, false]);
    assert.deepEqual([theirs.accounts, theirs.read_only], [true, true]);
    const pluginsOf = ({ plugins }: Deployment) => new Set(plugins.map(({ id }) => id));
    assert.ok(!pluginsOf(own).has('auth') && pluginsOf(theirs).has('auth'));
    assert.ok(pluginsOf(own).has('help') && own.plugins.every(({ description }) => description !== ''));
  });

  it('has the toolsets with the tools that the deployment allows, and every kind of event', async () => {
    const { toolsets, events } = await get(alone.url);
    const { tools } = toolsets.find(({ id }) => id === 'projects') ?? {};
    assert.ok(tools?.includes('projects_list') && !tools.includes('projects_create'));
    const types = new Set(events.map(({ type }) => type));
    for (const type of ['tools.changed', 'file.indexed', 'memory.event.created'])
      assert.ok(types.has(type), type);
  });

  it('has the pages of its plugins, without the tools that the deployment leaves out', async () => {
    const [own, theirs] = await Promise.all([get(alone.url), get(hosted.url)]);
    const ofOwner = ['workspaces/workspaces', 'workspaces/projects'];
    assert.deepEqual(idsOf(own), ofOwner, 'a single owner has no members');
    const [, projects] = own.views;
    assert.deepEqual(projects, {
      plugin: 'workspaces',
      id: 'projects',
      icon: 'folder',
      title: 'Projects',
      about: 'The code and documents of this workspace, one project for each folder or repository.',
      role: 'viewer',
      list: 'projects_list',
      columns: ['name', 'description', 'file_count', 'indexing_status', 'indexed_at'],
      actions: [{ tool: 'projects_update', label: 'Edit', with: { project_id: 'id' } }],
      remove: { tool: 'projects_delete', label: 'Delete', with: { project_id: 'id' } },
      refresh_on: ['project.', 'file.'],
    });
    for (const page of [...OF_WORKSPACES, 'auth/keys', 'auth/invitations', 'auth/audit'])
      assert.ok(idsOf(theirs).includes(page), page);
    const forAdministrators = theirs.views.filter((view) => 'administrators' in view);
    assert.deepEqual(
      forAdministrators.map(({ id }) => id),
      ['accounts'],
      'the audit log is for the admins of a workspace too',
    );
    for (const view of theirs.views)
      assert.ok(!('create' in view) && !('remove' in view), `${view.id} writes`);
  });

  it('refuses arguments, by name', async () => {
    const reply = await send(alone.url, 'GET', '/v1/deployment?verbose=true');
    assert.deepEqual([reply.status, issuePath(reply.body.error)], [400, '/verbose']);
  });

  it('answers a request whose login has ended', async () => {
    const headers = { cookie: `service_session_${new URL(hosted.url ?? '').port}=svs_gone` };
    assert.equal((await send(hosted.url, 'GET', '/v1/deployment', { headers })).status, 200);
  });
});
