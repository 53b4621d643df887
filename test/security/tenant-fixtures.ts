import { uuidv7, type ToolInfo } from '@service-mcp/core';
import { sampleArguments } from './sample-arguments.js';
import type { Person, Team, Tenant } from './start-team.js';

/** One record of every kind that a tool takes the id of, all in one workspace of the tenant or of its owner. */
export interface TenantFixture {
  /** Ids by the name of the argument that takes them. */
  readonly ids: Readonly<Record<string, string>>;
  /** Lists of ids, by the name of the argument. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** In every name and text of the fixture, and nowhere else. */
  readonly canary: string;
}

/** Creates the records again. A tool that takes another kind of id fails until this function makes one. */
export async function createTenantFixture(team: Team, tenant: Tenant): Promise<TenantFixture> {
  const { owner } = tenant.people;
  const canary = `canary-${crypto.randomUUID()}`;
  const workspace_id = await team.workspace(tenant, canary);
  const project = await team.as(owner, 'projects_create', { workspace_id, name: canary });
  const files = [{ path: 'src/sample.ts', content: `export const sample = '${canary}';\n` }];
  await team.as(owner, 'files_ingest', { project_id: project['id'], files });
  const said = { workspace_id, title: canary, content: canary };
  const remember = (title: string) =>
    team.as(owner, 'memory_create_event', { ...said, event_type: 'note', title });
  const [event, twin, gone] = [await remember(canary), await remember('twin'), await remember('gone')];
  const node = await team.as(owner, 'memory_create_node', { ...said, node_type: 'fact' });
  const other = await team.as(owner, 'memory_create_node', { ...said, node_type: 'fact', title: 'other' });
  const nodes = { source_node_id: String(node['id']), target_node_id: String(other['id']) };
  const link = { ...nodes, relation_type: 'related_to' };
  const edge = await team.as(owner, 'graph_link_knowledge', { workspace_id, ...link });
  const change = await team.as(owner, 'memory_delete_many', { workspace_id, ids: [gone['id']] });
  const email = `${canary}@example.com`;
  const invitation = await team.as(owner, 'auth_invite', { workspace_id, email });
  const elsewhere = await team.as(tenant.bystander, 'workspaces_create', { name: canary });
  const asked = { workspace_id: elsewhere['id'], email: owner.email, role: 'viewer' };
  const invited = await team.as(tenant.bystander, 'members_add', asked);
  const key = await team.key(owner, { name: canary });
  const [session_id, connection_id] = await logIn(team, owner, canary);
  return {
    canary,
    ids: {
      workspace_id,
      project_id: String(project['id']),
      user_id: tenant.bystander.id,
      invitation_id: String(invitation['id']),
      membership_id: String(invited['id']),
      key_id: key.id,
      session_id,
      connection_id,
      account_id: tenant.bystander.id,
      event_id: String(event['id']),
      node_id: String(node['id']),
      ...nodes,
      edge_id: String(edge['id']),
      change_id: String(change['change_id']),
      keep: String(event['id']),
    },
    lists: { ids: [String(event['id']), String(twin['id'])] },
  };
}

/** A login and a connected application, without a browser: people of the grid have no passwords. */
async function logIn({ host }: Team, { id: user_id }: Person, canary: string): Promise<[string, string]> {
  const [session, connection] = [uuidv7(), crypto.randomUUID()];
  const [created, ends] = [Date.now(), Date.now() + 3_600_000];
  const at = { created_at: new Date(created).toISOString(), expires_at: new Date(ends).toISOString() };
  await host.database.sql('sessions').insert({ id: session, user_id, name: canary, ...at });
  const grant = { id: connection, user_id, client_id: connection, client_name: canary, payload: '{}' };
  await host.database.sql('oauth_grants').insert({ ...grant, created_at: created, expires_at: ends });
  return [session, connection];
}

/** Arguments that name the fixture: every required id, and the workspace where `inWorkspace` or the access wants it. */
export function argumentsFor(
  tool: ToolInfo,
  { ids, lists }: TenantFixture,
  inWorkspace: boolean,
): Record<string, unknown> {
  const args = sampleArguments(tool.inputSchema);
  const properties = tool.inputSchema['properties'] as Readonly<Record<string, { readonly type?: unknown }>>;
  for (const name of Object.keys(properties)) {
    if (name in args && lists[name]) args[name] = lists[name];
    if (!(name.endsWith('_id') || name in ids) || properties[name]?.type !== 'string') continue;
    const isAsked =
      name in args || (name === 'workspace_id' && (inWorkspace || tool.access.in === 'workspace'));
    if (!isAsked) continue;
    const id = ids[name];
    if (id === undefined)
      throw new Error(`${tool.name} takes a ${name}: have test/security/tenant-fixtures.ts make one`);
    args[name] = id;
  }
  return args;
}
