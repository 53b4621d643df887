import { foldedArgument, requestOf } from '../../api/call.js';
import { accounts, mcpUrl, ROOT } from '../../api/deployment.js';
import type { DescribedTool } from '../../api/tool-table.js';

export interface Snippet {
  readonly id: string;
  readonly label: string;
  /** What the text is for: a terminal, a file. */
  readonly name: string;
  readonly text: string;
}

const BASE = ROOT.href.replace(/\/$/, '');
const KEY = 'YOUR_API_KEY';

/** The same call for other programs, by surfaces that serve the tool. A key stands for itself: the dashboard has none. */
export function snippetsOf(tool: DescribedTool, input: object): readonly Snippet[] {
  const [method, path] = tool.route;
  const isFolded = foldedArgument(tool.route, input) !== undefined; // curl and others would call another route
  // Beside a body of lines the arguments are those of the query, as of a GET.
  const { url, body } = requestOf([tool.streams ? 'GET' : method, path], input);
  const address = `${BASE}/${url}`;
  const rpc = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool.name, arguments: input },
  });
  const headers = {
    ...(accounts && { 'X-Service-API-Key': KEY }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const flags = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`);
  const lines = [
    `curl -sS -X ${method} ${quoted(address)}`,
    ...flags,
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
    ...(tool.streams === 'in'
      ? ["-H 'Content-Type: application/x-ndjson'", '--data-binary @lines.ndjson']
      : []),
  ];
  const options = [
    `method: ${JSON.stringify(method)}`,
    ...(flags.length > 0 ? [`headers: ${JSON.stringify(headers)}`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${body})`]),
  ];
  const curl = { id: 'curl', label: 'curl', name: 'Terminal', text: lines.join(' \\\n  ') };
  if (tool.streams) return isFolded ? [] : [curl];
  const snippets: readonly (Snippet & { readonly surface: string })[] = [
    { ...curl, surface: 'rest' },
    {
      surface: 'rpc', // the command line calls by its routes
      id: 'terminal',
      label: 'Terminal',
      name: 'Terminal',
      text: `service-mcp call --url ${BASE} ${tool.name} ${quoted(JSON.stringify(input))}`,
    },
    {
      surface: 'rest',
      id: 'typescript',
      label: 'TypeScript',
      name: 'TypeScript, without a library',
      text: `const response = await fetch(${JSON.stringify(address)}, {\n  ${options.join(',\n  ')},\n});\nconst { data, error } = await response.json();`,
    },
    {
      surface: 'rest',
      id: 'python',
      label: 'Python',
      name: 'Python, with requests',
      text: [
        'import json',
        'import requests',
        '',
        'response = requests.request(',
        `    ${JSON.stringify(method)},`,
        `    ${JSON.stringify(address)},`,
        ...(flags.length > 0 ? [`    headers=${JSON.stringify(headers)},`] : []),
        ...(body === undefined ? [] : [`    json=json.loads(${JSON.stringify(body)}),`]),
        ')',
        'data = response.json()["data"]',
      ].join('\n'),
    },
    {
      surface: 'mcp',
      id: 'mcp',
      label: 'MCP',
      name: 'Terminal: one message of Streamable HTTP',
      text: [
        `curl -sS ${quoted(`${mcpUrl}?toolset=${tool.name}`)}`,
        ...(accounts ? [`-H 'X-Service-API-Key: ${KEY}'`] : []),
        "-H 'Content-Type: application/json'",
        "-H 'Accept: application/json, text/event-stream'",
        `-d ${quoted(rpc)}`,
      ].join(' \\\n  '),
    },
  ];
  return snippets.filter(
    ({ surface }) => tool.surfaces.includes(surface) && !(isFolded && surface === 'rest'),
  );
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
