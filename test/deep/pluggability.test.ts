import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from '@service-mcp/core';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toolsPage } from '../checks/reference/tools-page.js';
import { installPublished, installTarball, packPlugin } from '../e2e/support/published.js';
import { ROOT, plainEnv, run, runWell } from '../e2e/support/run.js';
import { useBookmarksPage } from './support/bookmarks-page.js';

const DEPLOYMENT = {
  plugins: [
    '@service-mcp/plugin-help',
    '@service-mcp/plugin-syntax',
    '@service-mcp/plugin-workspaces',
    '@service-mcp/plugin-search',
    'service-mcp-plugin-bookmarks',
  ],
  transports: [
    '@service-mcp/transport-mcp',
    '@service-mcp/transport-jsonrpc',
    '@service-mcp/transport-rest',
    '@service-mcp/transport-web',
  ],
  bookmarks: { stale_after_seconds: 5 },
};
const home = {
  name: 'service-mcp-plugin-bookmarks',
  folder: '',
  exports: {},
  dependencies: {},
  devDependencies: {},
};
const TOOLS = [
  'bookmarks_create',
  'bookmarks_delete',
  'bookmarks_get',
  'bookmarks_list',
  'bookmarks_mark_read',
];

interface Bookmark {
  readonly id: string;
  readonly title: string;
  readonly state: string;
}
interface Page {
  readonly items: readonly Bookmark[];
}

/**
 * A third party's plugin (docs/guides/examples/bookmarks), compiled against packages from tarballs, packed, and
 * installed with them outside this repository: only the deployment file names it.
 */
describe('a plugin of a third party', () => {
  let folder: string;
  let operator: string;
  let service: ChildProcess;
  let url: string;

  const author = () => join(folder, 'author');
  const binary = () => join(operator, 'node_modules', 'service-mcp', 'bin', 'service-mcp.js');
  const command = (...args: string[]) =>
    runWell(process.execPath, [binary(), ...args], { cwd: operator, env: { SERVICE_LOG_LEVEL: 'error' } });
  const json = async <T>(name: string, ...args: string[]) =>
    JSON.parse(await command(name, '--json', ...args)) as T;
  const get = async <T>(path: string, init?: RequestInit) => {
    const response = await fetch(`${url}${path}`, init);
    assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
    return (await response.json()) as T;
  };
  const post = <T>(path: string, body: object) =>
    get<T>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-plug-'));
    operator = join(folder, 'operator');
    await installPublished(operator);
    const source = join(ROOT, 'docs', 'guides', 'examples', 'bookmarks');
    await installTarball(operator, await packPlugin(source, author(), operator));
    await writeFile(join(operator, 'deployment.json'), JSON.stringify(DEPLOYMENT));
    service = spawn(
      process.execPath,
      [binary(), 'serve', '--config', 'deployment.json', '--data', 'data', '--port', '0', '--json'],
      { cwd: operator, env: plainEnv({ SERVICE_LOG_LEVEL: 'error' }), stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let printed = '';
    for await (const part of service.stdout as NodeJS.ReadableStream) {
      printed += String(part);
      if (printed.trimEnd().endsWith('}')) break;
    }
    ({ url } = JSON.parse(printed) as { url: string });
    await post('/v1/workspaces', { name: 'Lighthouse' });
  });
  after(async () => {
    if (service?.exitCode === null) {
      service.kill('SIGTERM');
      await once(service, 'exit');
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('shares the one copy of core', async () => {
    const core = (from: string) => createRequire(join(from, 'x.js')).resolve('@service-mcp/core');
    const plugin = await realpath(join(operator, 'node_modules', 'service-mcp-plugin-bookmarks'));
    const cli = join(operator, 'node_modules', 'service-mcp');
    assert.equal(await realpath(core(plugin)), await realpath(core(cli)));
    assert.ok(core(plugin).startsWith(await realpath(operator)));
  });

  it('is on the command line, with flags of its own', async () => {
    const tools = await json<{ name: string }[]>('tools', '--url', url);
    const names = new Set(tools.map(({ name }) => name));
    for (const tool of TOOLS) assert.ok(names.has(tool), tool);
    assert.match(await command('tools', 'bookmarks_create', '--url', url), /--title/);
    const args = JSON.stringify({ url: 'https://example.org/shell', title: 'From the shell' });
    const made = await json<Bookmark>('call', '--url', url, 'bookmarks_create', args);
    assert.equal(made.title, 'From the shell');
    const listed = await json<Page>('call', '--url', url, 'bookmarks_list', '--state', 'read');
    assert.deepEqual(listed.items, []);
    const wrong = await run(
      process.execPath,
      [binary(), 'call', '--url', url, 'bookmarks_mark_read', '--bookmark-id', 'x'],
      {
        cwd: operator,
      },
    );
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /INVALID_ARGUMENT.*call bookmarks_list for the ids/);
  });

  it('runs in one process, with no server', async () => {
    const args = JSON.stringify({ url: 'https://example.org/alone', title: 'In process' });
    const here = ['--config', 'deployment.json', '--data', 'alone'];
    await json('migrate', ...here, '--json');
    await json('call', ...here, 'workspaces_create', '--name', 'Alone');
    const { id } = await json<Bookmark>('call', ...here, 'bookmarks_create', args);
    const { items } = await json<Page>('call', ...here, 'bookmarks_list');
    assert.deepEqual(
      items.map((item) => item.id),
      [id],
    );
  });

  it('is on MCP: tools, a resource and a prompt', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    try {
      const { tools } = await client.listTools();
      const create = tools.find(({ name }) => name === 'bookmarks_create');
      assert.equal(create?.annotations?.readOnlyHint, false);
      assert.equal(create?.annotations?.idempotentHint, true);
      const made = await client.callTool({
        name: 'bookmarks_create',
        arguments: { url: 'https://example.org/mcp', title: 'From MCP' },
      });
      const { id } = made.structuredContent as Bookmark;
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'bookmarks://{bookmark_id}'));
      const { contents } = await client.readResource({ uri: `bookmarks://${id}` });
      assert.match(JSON.stringify(contents), /# From MCP\\n\\nhttps:.*State: unread/);
      const { prompts } = await client.listPrompts();
      assert.ok(prompts.some(({ name }) => name === 'bookmarks_plan'));
      const { messages } = await client.getPrompt({ name: 'bookmarks_plan', arguments: {} });
      assert.match(JSON.stringify(messages), /From MCP/);
    } finally {
      await client.close();
    }
  });

  it('is on JSON-RPC and the compatibility routes', async () => {
    const { result } = await post<{ result: { structuredContent: Bookmark } }>('/api/v1/rpc', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'bookmarks_create',
        arguments: { url: 'https://example.org/rpc', title: 'From JSON-RPC' },
      },
    });
    assert.equal(result.structuredContent.title, 'From JSON-RPC');
    const { tools } = await get<{ tools: { name: string }[] }>('/api/v1/tools/list');
    assert.deepEqual(
      tools.map(({ name }) => name).filter((name) => name.startsWith('bookmarks_')),
      TOOLS,
    );
    const named = await post<{ structuredContent: Page }>('/api/v1/tools/bookmarks_list', { state: 'read' });
    assert.deepEqual(named.structuredContent.items, []);
    const called = await post<{ structuredContent: Bookmark }>('/api/v1/tools/call', {
      name: 'bookmarks_mark_read',
      arguments: { bookmark_id: result.structuredContent.id },
    });
    assert.equal(called.structuredContent.state, 'read');
  });

  it('has a page of the dashboard from its declaration', async () => {
    const { data } = await get<{ data: { views: { plugin: string; list: string }[] } }>('/v1/deployment');
    const [page, ...others] = data.views.filter(({ plugin }) => plugin === 'bookmarks');
    assert.deepEqual([page?.list, others], ['bookmarks_list', []]);
    await useBookmarksPage(url);
  });

  it('is on REST, in the OpenAPI document and in help', async () => {
    const made = await post<{ success: boolean; data: Bookmark }>('/v1/bookmarks', {
      url: 'https://example.org/rest',
      title: 'From REST',
    });
    assert.equal(made.success, true);
    const read = await post<{ data: Bookmark }>(`/api/v1/bookmarks/${made.data.id}/read`, {});
    assert.equal(read.data.state, 'read');
    const none = await fetch(`${url}/v1/bookmarks/00000000-0000-7000-8000-000000000000/read`, {
      method: 'POST',
    });
    assert.equal(none.status, 404); // the plugin's own ServiceError, and so its core's class
    const { paths, components } = await get<{
      paths: Record<string, Record<string, { operationId: string }>>;
      components: { schemas: Record<string, object> };
    }>('/openapi.json');
    assert.ok(components.schemas['Bookmark'] && components.schemas['BookmarkPage']);
    assert.equal(paths['/v1/bookmarks']?.['post']?.operationId, 'bookmarks_create');
    assert.equal(paths['/v1/bookmarks/{bookmark_id}/read']?.['post']?.operationId, 'bookmarks_mark_read');
    const help = await get<{ data: { tools: { name: string }[] } }>('/v1/help');
    assert.deepEqual(
      help.data.tools.map(({ name }) => name).filter((name) => name.startsWith('bookmarks_')),
      TOOLS,
    );
  });

  it('is searched, and its worker works, where its setting says', async () => {
    const { data } = await post<{ data: Bookmark }>('/v1/bookmarks', {
      url: 'https://example.org/fog',
      title: 'Fog',
      notes: 'The zwiebelfisch horn is hoarse.',
    });
    const search = { query: 'zwiebelfisch', filters: { kinds: ['bookmark'] } };
    const found = await until(async () => {
      const answer = await post<{ data: { results: { id: string; title: string }[] } }>(
        '/v1/search/keyword',
        search,
      );
      return answer.data.results[0];
    });
    assert.equal(found.title, 'Fog');
    assert.match(await command('search', 'zwiebelfisch', '--url', url), /^bookmarks:\/\/\S+ {2}Fog {2}/m);
    const stale = await until(async () => {
      const answer = await get<{ data: Page }>('/v1/bookmarks?state=stale');
      return answer.data.items.find(({ id }) => id === data.id);
    });
    assert.equal(stale.state, 'stale');
    assert.match(await (await fetch(`${url}/metrics`)).text(), /^bookmarks_stale_total [1-9]/m);
  });

  it('has a page in the reference', async () => {
    const entry = createRequire(join(operator, 'x.js')).resolve('service-mcp-plugin-bookmarks');
    const { default: plugin } = (await import(pathToFileURL(entry).href)) as { default: Plugin };
    const tools = plugin.toolsets.flatMap((toolset) =>
      toolset.tools.map((tool) => ({
        tool,
        info: { ...tool, plugin: plugin.id, toolset: toolset.id },
        plugin,
        home,
      })),
    );
    const page = toolsPage({ plugin, home }, tools);
    for (const tool of TOOLS) assert.ok(page.includes(`### \`${tool}\`: `), tool);
    assert.match(page, /`POST \/v1\/bookmarks\/:bookmark_id\/read`/);
  });

  it('refuses a wrong setting of its own before it starts', async () => {
    const { code, stderr } = await run(
      process.execPath,
      [binary(), 'serve', '--config', 'deployment.json', '--data', 'data', '--port', '0'],
      { cwd: operator, env: { BOOKMARKS_STALE_AFTER_SECONDS: '0' } },
    );
    assert.equal(code, 1);
    assert.match(stderr, /environment variable BOOKMARKS_STALE_AFTER_SECONDS: must be >= 1\n→ Change it/);
  });

  it('is tested by its author with the same parts', async () => {
    const env = { TEST_DATABASE_URL: process.env['TEST_DATABASE_URL'] ?? '' };
    const mocha = join(ROOT, 'node_modules', '.bin', 'mocha');
    const tested = await runWell(mocha, ['--no-config', '--timeout', '60000', 'test/dist/**/*.test.js'], {
      cwd: author(),
      env,
    });
    assert.match(tested, /12 passing/);
  });

  it('is joined by a transport, tested by its author with the same parts', async () => {
    const source = join(ROOT, 'docs', 'guides', 'examples', 'ndjson');
    const copy = join(folder, 'transport');
    await installTarball(operator, await packPlugin(source, copy, operator));
    const mocha = join(ROOT, 'node_modules', '.bin', 'mocha');
    const tested = await runWell(mocha, ['--no-config', '--timeout', '60000', 'test/dist/**/*.test.js'], {
      cwd: copy,
    });
    assert.match(tested, /[1-9]\d* passing/);
  });

  it('is not mentioned in this repository', async () => {
    for (const file of ['package.json', 'tsconfig.json', 'transports/cli/default-deployment.json'])
      assert.doesNotMatch(await readFile(join(ROOT, file), 'utf8'), /bookmarks/);
  });
});

/** Asks until there is an answer; the time-out of the suite ends it. */
async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
