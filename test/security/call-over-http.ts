import type { ToolInfo } from '@service-mcp/core';

export interface Answer {
  /** `OK`, or the code of the error. */
  readonly code: string;
  readonly text: string;
}

type Send = (
  url: string,
  tool: ToolInfo,
  args: Record<string, unknown>,
  key: string | undefined,
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

/** Calls a tool over HTTP, by the surface that must declare it; `meta` is MCP through the tools that call tools. */
export const OVER_HTTP: Readonly<Record<'rest' | 'rpc' | 'mcp' | 'meta', Send>> = {
  async rest(url, tool, args, key) {
    if (!tool.http) throw new Error(`${tool.name} has no route`);
    const left = { ...args };
    const path = tool.http.path.replaceAll(/:(\w+)/g, (_, name: string) => {
      const value = String(left[name]);
      delete left[name];
      return encodeURIComponent(value);
    });
    const { method, streams } = tool.http;
    if (streams === 'in') {
      const headers = { ...headersWith(key), 'content-type': 'application/x-ndjson' };
      const asked = new URLSearchParams(left as Record<string, string>).toString();
      return read(await fetch(`${url}${path}?${asked}`, { method, headers, body: '{}\n' }));
    }
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
  if (response.headers.get('content-type')?.startsWith('application/x-ndjson')) return { code: 'OK', text };
  const { error, result } = JSON.parse(text) as Failed;
  const code =
    error?.data?.code ?? error?.code ?? (result?.isError ? result._meta?.['service-mcp/error']?.code : 'OK');
  return { code: typeof code === 'string' ? code : JSON.stringify(code), text };
}
