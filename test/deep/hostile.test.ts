import assert from 'node:assert/strict';
import { ERRORS, ServiceError, type ErrorCode } from '@service-mcp/core';
import type { Host } from '@service-mcp/core/host';
import { startService, type Service } from '../start-service.js';
import { BODIES, NOBODY, TEXTS, VALUES } from './support/hostile-values.js';

type Arguments = Readonly<Record<string, unknown>>;

interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, object>> };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  /** `OK`, or the code of the error. */
  readonly code: string;
}

const COMPLETE = { 'content-type': 'application/json', 'x-service-toolset': 'complete' };
const MODERN = '2026-07-28';
const MCP = { ...COMPLETE, accept: 'application/json, text/event-stream' };
const AT_ONCE = 16;
/**
 * Of what there is to send over HTTP, one in so many goes to each tool; which ones differs from one to the next, so that
 * each kind is sent over each surface. In the process of the service, all of it goes to each.
 */
const ARGUMENTS_SHARE = 20;
const BODIES_SHARE = 4;

/** Words of a stack, of SQL, of an engine or of this machine. */
const FOREIGN = /\bat .+:\d+:\d+|node_modules|sqlite|libsql|knex|lance|\.rs:|select .+ from |insert into/iu;

/** One way to call a tool over HTTP with arguments that are JSON text, well-formed or not. */
const SURFACES: Readonly<Record<string, (url: string, tool: string, args: string) => Promise<Answer>>> = {
  compatibility: (url, tool, args) => post(`${url}/api/v1/tools/${tool}`, args, COMPLETE),
  'json-rpc': (url, tool, args) => post(`${url}/api/v1/rpc`, rpcCall(tool, args), COMPLETE),
  'mcp legacy': (url, tool, args) => post(`${url}/agent-a`, rpcCall(tool, args), MCP),
  'mcp modern': (url, tool, args) =>
    post(
      `${url}/agent-a`,
      rpcCall(
        tool,
        args,
        `,"_meta":{"io.modelcontextprotocol/protocolVersion":"${MODERN}","io.modelcontextprotocol/clientCapabilities":{}}`,
      ),
      { ...MCP, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': tool },
    ),
};

describe('hostile input', () => {
  let service: Service;
  let tools: readonly ListedTool[];
  let good: Readonly<Record<string, Arguments>>;

  before(async () => {
    service = await startService({ search: { training: false, pattern_timeout_ms: 500 } });
    const { id: workspace_id } = await service.use<{ id: string }>('workspaces_create', {
      name: 'hostile',
    });
    const { id: project_id } = await service.use<{ id: string }>('projects_create', {
      workspace_id,
      name: 'canary',
    });
    await service.use('files_ingest', { project_id, files: CANARY });
    await service.indexed(project_id);
    const reply = await fetch(`${service.url}/api/v1/tools/list`, { headers: COMPLETE });
    ({ tools } = (await reply.json()) as { tools: ListedTool[] });
    good = goodArguments(tools, workspace_id, project_id);
  });
  after(() => service.stop());

  for (const [surface, call] of Object.entries(SURFACES)) {
    it(`gets a documented code for every tool over ${surface}`, async () => {
      assert.ok(tools.length > 15);
      for (const [index, tool] of tools.entries()) {
        const all = hostileArguments(tool, good[tool.name] ?? {}).map((args) => JSON.stringify(args));
        const some = shareOf(all, ARGUMENTS_SHARE, index);
        const share = surface === 'compatibility' ? 1 : BODIES_SHARE;
        await inTurns([...shareOf(BODIES, share, index), ...some], async (args) => {
          const answer = await call(service.url, tool.name, args);
          blameless(answer, `${tool.name} over ${surface}: ${args.slice(0, 200)}`);
        });
      }
    });
  }

  it('gets a documented code for every tool and argument in this process', async () => {
    for (const tool of tools) {
      const all = hostileArguments(tool, good[tool.name] ?? {});
      await inTurns(all, async (args) => {
        const answer = await inProcess(service.host, tool.name, args);
        blameless(answer, `${tool.name}: ${JSON.stringify(args).slice(0, 200)}`);
      });
    }
  });

  it('gets a documented code over every REST route', async () => {
    const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, object>>;
    };
    let index = 0;
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        if (!('x-tool' in operation)) continue; // test/deep/openapi.test.ts has the other routes
        index += 1;
        await inTurns(TEXTS, async (text) => {
          const filled = path.replaceAll(/\{\w+\}/gu, encodeURIComponent(text.toWellFormed()) || '%20');
          const query = `page=${encodeURIComponent(text.toWellFormed()).slice(0, 2000)}&__proto__[x]=1`;
          const body = method === 'get' ? undefined : JSON.stringify({ [text]: text });
          const answer = await request(`${service.url}${filled}?${query}`, method, body);
          blameless(answer, `${method} ${filled}`);
        });
      }
    }
  });

  it('leaves stored data unchanged', async () => {
    const { project_id } = good['files_read'] as { project_id: string };
    for (const { path, content } of CANARY) {
      const read = await service.use<{ content: string }>('files_read', { project_id, path });
      assert.equal(read.content, content);
      const { total } = await service.use<{ total: number }>('search_pattern', {
        project_id,
        workspace_id: good['search_pattern']?.['workspace_id'],
        query: `${path.replace('.ts', '')}_canary\\b`,
      });
      assert.equal(total, 1, path);
    }
    assert.equal((await fetch(`${service.url}/ready`)).status, 200);
  });
});

/** One in `share`, beginning at another one for each `index`. */
function shareOf<T>(all: readonly T[], share: number, index: number): T[] {
  return all.filter((_, at) => at % share === index % share);
}

const CANARY = Array.from({ length: 12 }, (_, at) => ({
  path: `file${at}.ts`,
  content: `export const file${at}_canary = 'ü 😀 ${at}';\r\n\t// "quoted" \\ 'text'\n`,
}));

/** Valid arguments for each tool; a destructive call names a record that does not exist. */
function goodArguments(tools: readonly ListedTool[], workspace_id: string, project_id: string) {
  const values: Arguments = { workspace_id, project_id, query: 'canary', name: 'n', path: 'file1.ts' };
  const of = ({ name, inputSchema }: ListedTool): Arguments => {
    const known = Object.keys(inputSchema.properties ?? {});
    const args = Object.fromEntries(known.flatMap((key) => (key in values ? [[key, values[key]]] : [])));
    if (name === 'projects_delete') args['project_id'] = NOBODY;
    if (name === 'workspaces_delete') args['workspace_id'] = NOBODY;
    if (name === 'files_ingest') args['files'] = [{ path: 'b.ts', content: 'b' }];
    if (name === 'files_delete') args['paths'] = ['b.ts'];
    if (name === 'projects_list') delete args['project_id'];
    return args;
  };
  return Object.fromEntries(tools.map((tool) => [tool.name, of(tool)]));
}

/** The good arguments with one thing wrong: every field, every value; nested ones where a tool has them. */
function hostileArguments({ name, inputSchema }: ListedTool, args: Arguments): Arguments[] {
  const fields = Object.keys(inputSchema.properties ?? {});
  const cases: Arguments[] = [{ ...args, nope: 1 }];
  // It would delete the canary.
  const kept = name === 'files_ingest' ? fields.filter((field) => field !== 'delete_missing') : fields;
  for (const field of kept) for (const value of VALUES) cases.push({ ...args, [field]: value });
  for (const value of VALUES) {
    if (name === 'files_ingest') {
      for (const file of [
        { path: value, content: 'x' },
        { path: 'b.ts', content: value },
        { path: 'b.ts', content: 'y', language: value },
        { path: 'b.ts', content: 'y', modified_at: value },
      ])
        cases.push({ ...args, files: [file] });
    }
    if (name === 'files_delete') cases.push({ ...args, paths: [value] });
    if (name === 'search_hybrid' || name === 'search_pattern') {
      for (const filter of ['path_glob', 'path_prefix', 'modified_after'])
        cases.push({ ...args, filters: { [filter]: value } });
      for (const filter of ['languages', 'kinds', 'tags'])
        cases.push({ ...args, filters: { [filter]: [value] } });
    }
  }
  return cases;
}

/** Never INTERNAL, no 5xx but those that mean "later", a code of the table, and no word that is not ours. */
function blameless({ status, text, code }: Answer, what: string): void {
  assert.ok(status < 500 || status === 503 || status === 504, `${what}: ${status} ${text.slice(0, 300)}`);
  assert.ok(
    code === 'OK' || (code in ERRORS && code !== 'INTERNAL'),
    `${what}: ${code} ${text.slice(0, 300)}`,
  );
  assert.notEqual(code, 'UNAVAILABLE', `${what}: ${text.slice(0, 300)}`);
  if (code !== 'OK') assert.doesNotMatch(text, FOREIGN, what);
}

async function inProcess(host: Host, tool: string, args: Arguments): Promise<Answer> {
  try {
    const call = host.call({ surface: 'rpc' });
    return { status: 200, code: 'OK', text: JSON.stringify(await host.catalog.call(tool, args, call)) };
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    const { code, message, details } = error;
    return { status: ERRORS[code].http, code, text: JSON.stringify([message, details]) };
  }
}

function rpcCall(tool: string, args: string, more = ''): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}${more}}}`;
}

function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  return request(url, 'POST', body, headers);
}

async function request(
  url: string,
  method: string,
  body?: string,
  headers: Readonly<Record<string, string>> = COMPLETE,
): Promise<Answer> {
  const response = await fetch(url, {
    method: method.toUpperCase(),
    headers,
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const data = /^data: (.*)$/mu.exec(text)?.[1] ?? text; // an MCP answer may be one server-sent event
  return { status: response.status, text, code: codeOf(JSON.parse(data), response.ok) };
}

/** The code, wherever the surface has it: envelope, JSON-RPC error (its data, else its number), MCP result. */
function codeOf(body: unknown, ok: boolean): string {
  const { error, result } = body as {
    error?: { code: string | number; data?: { code?: string } } | null;
    result?: { _meta?: Readonly<Record<string, { code?: string }>> };
  };
  const code = error?.data?.code ?? error?.code ?? result?._meta?.['service-mcp/error']?.code;
  if (code === undefined) return ok ? 'OK' : 'none';
  if (typeof code === 'string') return code;
  const named = Object.entries(ERRORS).find(([, { rpc }]) => rpc === code);
  return (named?.[0] as ErrorCode | undefined) ?? String(code);
}

async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += AT_ONCE) await Promise.all(all.slice(at, at + AT_ONCE).map(work));
}
