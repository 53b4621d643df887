import { declaredPaths, type OwnedRoute } from '@service-mcp/core';
import type { PlacedTool } from '../deployment.js';
import { code, page, table } from './markdown.js';
import { accessText } from './tools-page.js';

const MIB = 1024 * 1024;

const CONVENTIONS = [
  'Every `/v1` route is served under `/api/v1` too. Answers are the envelope `{success, data, error, metadata}`; the bare pages named below are the page itself, and their failures are the envelope.',
  'Collections take `page` (from 1) and `per_page` (1 to 100; `page_size` is an alias) and answer `{items, total, page, per_page, has_next, has_prev}`.',
  'An array in a query is repeated or comma-separated. Request objects are closed: an unknown field is INVALID_ARGUMENT.',
  '`X-Request-Id` is echoed where it is 1 to 128 of letters, digits, `.`, `_` and `-`. `X-Service-Toolset` or `?toolset=` and `?readonly=true` choose tools on the MCP, JSON-RPC and compatibility routes.',
];

export function routesPage(tools: readonly PlacedTool[], routes: readonly OwnedRoute[]): string {
  const rows = tools
    .flatMap(({ tool }) => (tool.http ? [{ tool, http: tool.http }] : []))
    .sort((a, b) => (key(a.http) < key(b.http) ? -1 : 1))
    .map(({ tool, http }) => [
      http.method,
      declaredPaths(http).map(code).join(', '),
      code(tool.name),
      String(http.status),
      http.streams === 'in' ? '1 MiB a line' : `${http.bodyLimit / MIB} MiB`,
      accessText(tool.access),
    ]);
  const bare = tools.flatMap(({ tool }) => tool.http?.bareAt ?? []).sort();
  return page(
    'Routes',
    CONVENTIONS.map((line) => `- ${line}`).join('\n'),
    '## Routes of tools',
    table(['method', 'path', 'tool', 'status', 'largest body', 'access'], rows),
    `Bare pages: ${bare.map((path) => code(`GET ${path}`)).join(', ')}.`,
    '## Other routes',
    table(
      ['method', 'path', 'what it is', 'description'],
      routes.map(({ method, path, summary, description }) => [method, code(path), summary, description]),
    ),
    'Routes of OAuth and its pages: [Accounts, keys and OAuth](../guides/authentication.md#oauth-for-mcp-clients).',
  );
}

function key({ path, method }: { readonly path: string; readonly method: string }): string {
  return `${path} ${method}`;
}
