import { declaredPaths } from '@service-mcp/core';
import type { PlacedTool } from '../deployment.js';
import { code, page, table } from './markdown.js';
import { accessText } from './tools-page.js';

const MIB = 1024 * 1024;

/** Routes that belong to no tool. */
const FIXED = [
  ['POST', '/mcp', 'MCP Streamable HTTP with the toolset that the deployment shows'],
  ['POST', '/agent-a, /agent-b, /client', 'The same over every tool under the ceiling'],
  ['POST', '/api/v1/rpc', 'JSON-RPC: initialize, tools/list, tools/call, ping and notifications'],
  ['POST', '/api/v1/initialize', 'The initialize result, with session_id'],
  ['GET', '/api/v1/tools/list', 'The tools, sorted by name'],
  ['POST', '/api/v1/tools/call', 'Calls the tool named in the body'],
  ['POST', '/api/v1/tools/:name', 'Calls the tool named in the path; the body is its arguments'],
  ['GET', '/health, /api/v1/health', 'The process answers'],
  ['GET', '/ready', '200 when its storage answers, else 503'],
  ['GET', '/metrics', 'Prometheus metrics'],
  ['GET', '/openapi.json', 'OpenAPI 3.1 of the routes below'],
  ['GET', '/docs', 'The API page'],
] as const;

const CONVENTIONS = [
  'Every `/v1` route is served under `/api/v1` too. Answers are the envelope `{success, data, error, metadata}`; the bare pages named below are the page itself, and their failures are the envelope.',
  'Collections take `page` (from 1) and `per_page` (1 to 100; `page_size` is an alias) and answer `{items, total, page, per_page, has_next, has_prev}`.',
  'An array in a query is repeated or comma-separated. Request objects are closed: an unknown field is INVALID_ARGUMENT.',
  '`X-Request-Id` is echoed where it is 1 to 128 of letters, digits, `.`, `_` and `-`. `X-Service-Toolset` or `?toolset=` and `?readonly=true` choose tools on the MCP, JSON-RPC and compatibility routes.',
];

export function routesPage(tools: readonly PlacedTool[]): string {
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
      ['method', 'path', 'what it is'],
      FIXED.map(([method, path, text]) => [method, code(path), text]),
    ),
  );
}

function key({ path, method }: { readonly path: string; readonly method: string }): string {
  return `${path} ${method}`;
}
