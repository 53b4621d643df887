import type { ToolInfo } from '@service-mcp/core';
import { sampleArguments } from './sample.js';
import type { Person, Team, Tenant } from './team.js';

/** One thing of every kind that a tool may be asked about, all in one workspace of the tenant or of its owner. */
export interface Grounds {
  /** Ids by the name of the argument that takes them. */
  readonly ids: Readonly<Record<string, string>>;
  /** In every name and text of it, and nowhere else. */
  readonly canary: string;
}

/** What each id of an argument stands for, made anew. A tool with another kind of id fails until it stands here. */
export async function breakGround(team: Team, tenant: Tenant): Promise<Grounds> {
  const { owner } = tenant.people;
  const canary = `canary-${crypto.randomUUID()}`;
  const workspace_id = await team.workspace(tenant, canary);
  const project = await team.as(owner, 'projects_create', { workspace_id, name: canary });
  const files = [{ path: 'src/sample.ts', content: `export const sample = '${canary}';\n` }];
  await team.as(owner, 'files_ingest', { project_id: project['id'], files });
  const email = `${canary}@example.com`;
  const invitation = await team.as(owner, 'auth_invite', { workspace_id, email });
  const key = await team.key(owner, { name: canary });
  return {
    canary,
    ids: {
      workspace_id,
      project_id: String(project['id']),
      user_id: tenant.bystander.id,
      invitation_id: String(invitation['id']),
      key_id: key.id,
    },
  };
}

/** Arguments for a tool about the grounds: every required id, and the workspace where it is wanted. */
export function argumentsFor(
  tool: ToolInfo,
  { ids }: Grounds,
  inWorkspace: boolean,
): Record<string, unknown> {
  const args = sampleArguments(tool.inputSchema);
  const properties = tool.inputSchema['properties'] as Readonly<Record<string, { readonly type?: unknown }>>;
  for (const name of Object.keys(properties)) {
    if (!name.endsWith('_id') || properties[name]?.type !== 'string') continue;
    const isAsked =
      name in args || (name === 'workspace_id' && (inWorkspace || tool.access.in === 'workspace'));
    if (!isAsked) continue;
    const id = ids[name];
    if (id === undefined)
      throw new Error(`${tool.name} takes a ${name}: teach test/security/grounds.ts to make one`);
    args[name] = id;
  }
  return args;
}

export interface Answer {
  /** `OK`, or the code of the error. */
  readonly code: string;
  readonly text: string;
}

type Send = (
  url: string,
  tool: ToolInfo,
  args: Record<string, unknown>,
  key: Person['key'] | undefined,
) => Promise<Answer>;

const headersWith = (key: string | undefined, tool?: ToolInfo) => ({
  'content-type': 'application/json',
  ...(key !== undefined && { 'x-service-api-key': key }),
  ...(tool?.level === 'optional' && { 'x-service-toolset': tool.name }),
});

async function overMcp(
  url: string,
  params: { readonly name: string; readonly arguments: object },
  headers: object,
): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const accept = 'application/json, text/event-stream';
  return read(await fetch(`${url}/agent-a`, { method: 'POST', headers: { ...headers, accept }, body }));
}

/** The ways to a tool over HTTP, by the surface that must declare it; `meta` is over MCP, through the tools that call tools. */
export const WAYS: Readonly<Record<'rest' | 'rpc' | 'mcp' | 'meta', Send>> = {
  async rest(url, tool, args, key) {
    if (!tool.http) throw new Error(`${tool.name} has no route`);
    const left = { ...args };
    const path = tool.http.path.replaceAll(/:(\w+)/g, (_, name: string) => {
      const value = String(left[name]);
      delete left[name];
      return encodeURIComponent(value);
    });
    const { method } = tool.http;
    const inQuery = method === 'GET' || method === 'DELETE';
    const query = inQuery ? `?${new URLSearchParams(left as Record<string, string>).toString()}` : '';
    const body = inQuery ? {} : { body: JSON.stringify(left) };
    return read(await fetch(`${url}${path}${query}`, { method, headers: headersWith(key), ...body }));
  },
  async rpc(url, tool, args, key) {
    const body = JSON.stringify(args);
    return read(
      await fetch(`${url}/api/v1/tools/${tool.name}`, {
        method: 'POST',
        headers: headersWith(key, tool),
        body,
      }),
    );
  },
  mcp: (url, tool, args, key) => overMcp(url, { name: tool.name, arguments: args }, headersWith(key, tool)),
  meta(url, tool, args, key) {
    const name = tool.effect === 'read' ? 'tools_call_read' : 'tools_call_write';
    const headers = { ...headersWith(key), 'x-service-toolset': 'meta' };
    return overMcp(url, { name, arguments: { name: tool.name, arguments: args } }, headers);
  },
};

interface Failed {
  readonly error?: { readonly code?: unknown; readonly data?: { readonly code?: string } } | null;
  readonly result?: {
    readonly isError?: boolean;
    readonly _meta?: { readonly 'service-mcp/error'?: { readonly code: string } };
  };
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const { error, result } = JSON.parse(text) as Failed;
  const code =
    error?.data?.code ?? error?.code ?? (result?.isError ? result._meta?.['service-mcp/error']?.code : 'OK');
  return { code: typeof code === 'string' ? code : JSON.stringify(code), text };
}
