import assert from 'node:assert/strict';

/** Sends one POST to the MCP endpoint with whatever credential the client has. */
export type Post = (body: string, headers: Headers) => Promise<Response>;

/** Lists the tools and calls one that writes and one that reads, like a client that knows only JSON-RPC. */
export async function useTools(post: Post, name: string): Promise<void> {
  const { tools } = await exchange<{ tools: Array<{ name: string }> }>(post, 'tools/list');
  assert.ok(tools.some((tool) => tool.name === 'workspaces_create'));
  const made = await callTool(post, 'workspaces_create', { name });
  assert.equal(made['name'], name);
  const me = await callTool(post, 'workspaces_list');
  assert.ok(JSON.stringify(me).includes(name));
}

async function callTool(post: Post, name: string, args: object = {}): Promise<Record<string, unknown>> {
  const result = await exchange<{ isError?: boolean; structuredContent: Record<string, unknown> }>(
    post,
    'tools/call',
    { name, arguments: args },
  );
  assert.ok(!result.isError, JSON.stringify(result));
  return result.structuredContent;
}

async function exchange<T>(post: Post, method: string, params: object = {}): Promise<T> {
  const response = await post(
    mcpMessage(method, params),
    new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' }),
  );
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return (JSON.parse(text) as { result: T }).result;
}

export function mcpMessage(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}
