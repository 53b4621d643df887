import { uuidv7, type ToolInfo } from '@service-mcp/core';
import { sampleArguments } from './sample-arguments.js';
import type { Person, Team, Tenant } from './start-team.js';

/** Records of every kind that a tool takes the id of, all in one workspace of the tenant or of its owner. */
export interface TenantFixture {
  /** The id that an argument of this name takes, of a record that is made when it is first asked for. */
  id(name: string): Promise<string> | undefined;
  /** The same for a list of ids. */
  list(name: string): Promise<readonly string[]> | undefined;
  /** Makes the records of every kind; their ids and lists of ids, by the name of the argument. */
  makeAll(): Promise<TenantRecords>;
  /** In every name and text of the fixture, and nowhere else. */
  readonly canary: string;
}

export interface TenantRecords {
  readonly ids: Readonly<Record<string, string>>;
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

/** A new fixture. A tool that takes another kind of id fails until this function makes one. */
export function createTenantFixture(team: Team, tenant: Tenant): TenantFixture {
  const { bystander, people } = tenant;
  const { owner } = people;
  const canary = `canary-${crypto.randomUUID()}`;
  const made = new Map<string, Promise<string>>();
  const id = (name: string) => {
    const maker = makers[name];
    const existing = made.get(name) ?? maker?.();
    if (existing) made.set(name, existing);
    return existing;
  };
  const create = async (tool: string, args: object, by = owner) => {
    const workspace_id = await id('workspace_id');
    return String((await team.as(by, tool, { workspace_id, ...args }))['id']);
  };
  const said = { title: canary, content: canary };
  const remember = (title: string) => create('memory_create_event', { ...said, event_type: 'note', title });
  let login: Promise<[string, string]> | undefined;
  const loggedIn = () => (login ??= logIn(team, owner, canary));
  const makers: Readonly<Record<string, () => Promise<string>>> = {
    workspace_id: () => team.workspace(tenant, canary),
    async project_id() {
      const project_id = await create('projects_create', { name: canary });
      const files = [{ path: 'src/sample.ts', content: `export const sample = '${canary}';\n` }];
      await team.as(owner, 'files_ingest', { project_id, files });
      return project_id;
    },
    user_id: async () => bystander.id,
    account_id: async () => bystander.id,
    invitation_id: () => create('auth_invite', { email: `${canary}@example.com` }),
    async membership_id() {
      const { id: workspace_id } = await team.as(bystander, 'workspaces_create', { name: canary });
      return create('members_add', { workspace_id, email: owner.email, role: 'viewer' }, bystander);
    },
    key_id: async () => (await team.key(owner, { name: canary })).id,
    session_id: async () => (await loggedIn())[0],
    connection_id: async () => (await loggedIn())[1],
    event_id: () => remember(canary),
    keep: async () => String(await id('event_id')),
    twin: () => remember('twin'),
    node_id: () => create('memory_create_node', { ...said, node_type: 'fact' }),
    source_node_id: async () => String(await id('node_id')),
    target_node_id: () => create('memory_create_node', { ...said, node_type: 'fact', title: 'other' }),
    async edge_id() {
      const nodes = { source_node_id: await id('node_id'), target_node_id: await id('target_node_id') };
      return create('graph_link_knowledge', { ...nodes, relation_type: 'related_to' });
    },
    async change_id() {
      const workspace_id = await id('workspace_id');
      const ids = [await remember('gone')];
      return String((await team.as(owner, 'memory_delete_many', { workspace_id, ids }))['change_id']);
    },
  };
  const lists: Readonly<Record<string, readonly string[]>> = { ids: ['event_id', 'twin'] };
  const list = async (records: readonly string[]) =>
    Promise.all(records.map(async (record) => String(await id(record))));
  return {
    canary,
    id,
    list: (name) => lists[name] && list(lists[name]),
    async makeAll() {
      const ids: Record<string, string> = {};
      for (const name of Object.keys(makers)) ids[name] = String(await id(name));
      return { ids, lists: { ids: await list(lists['ids'] ?? []) } };
    },
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
export async function argumentsFor(
  tool: ToolInfo,
  fixture: TenantFixture,
  inWorkspace: boolean,
): Promise<Record<string, unknown>> {
  const args = sampleArguments(tool.inputSchema);
  const properties = tool.inputSchema['properties'] as Readonly<Record<string, { readonly type?: unknown }>>;
  for (const name of Object.keys(properties)) {
    if (name in args) args[name] = (await fixture.list(name)) ?? args[name];
    if (properties[name]?.type !== 'string') continue;
    const isAsked =
      name in args || (name === 'workspace_id' && (inWorkspace || tool.access.in === 'workspace'));
    if (!isAsked) continue;
    const id = await fixture.id(name);
    if (id !== undefined) args[name] = id;
    else if (name.endsWith('_id'))
      throw new Error(`${tool.name} takes a ${name}: have test/security/tenant-fixtures.ts make one`);
  }
  return args;
}
