import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JsonSchema } from '@service-mcp/core';
import { ModelServer } from '@service-mcp/core/testing';
import { startService, type ServiceProcess } from '../service-process.js';
import type { Recorded } from '../security/record-connections.js';
import { sampleArguments } from '../security/sample-arguments.js';

const PRELOAD = fileURLToPath(new URL('../security/record-connections.js', import.meta.url));

/** Tools that have to succeed, so that each plugin did its work; the others are called with the least they take. */
const MAIN =
  'help init context ai_context ai_enhanced_context ai_embeddings search_hybrid search_semantic search_keyword search_pattern memory_create_event memory_create_node memory_search memory_timeline memory_decisions graph_dependencies graph_symbols graph_overview workspaces_list projects_list files_read files_list';

interface Listed {
  readonly name: string;
  readonly inputSchema: JsonSchema & { readonly properties?: Readonly<Record<string, unknown>> };
  readonly annotations?: { readonly destructiveHint?: boolean };
}

describe('threat: connections that nobody configured', () => {
  let folder: string;
  let log: string;
  let service: ServiceProcess | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-network-'));
    log = join(folder, 'connections');
    await writeFile(log, '');
  });
  afterEach(async () => {
    await service?.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const watched = { NODE_OPTIONS: `--import=${PRELOAD}`, RECORD_CONNECTIONS: log };
    service = await startService(join(folder, 'data'), { ...watched, ...env });
    return service;
  };
  const recorded = async (): Promise<readonly Recorded[]> =>
    (await readFile(log, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Recorded);
  /** Where any process of the service connected to, or asked the name service about. */
  const connections = async () =>
    (await recorded()).filter(({ kind }) => kind !== 'start').map(({ kind, to }) => `${kind} ${to}`);

  /** A workspace with an indexed project and memory, as values by the names of arguments. */
  async function fill(running: ServiceProcess, count = 12): Promise<Record<string, unknown>> {
    const make = async (tool: string, args: object) => (await running.call<{ id: string }>(tool, args)).id;
    const workspace_id = await make('workspaces_create', { name: 'Team' });
    const project_id = await make('projects_create', { workspace_id, name: 'lamps' });
    const files = Array.from({ length: count }, (_, i) => ({
      path: `src/lamp${i}.ts`,
      content: `/** Lights lamp ${i} of the quay. */\nexport function light${i}(): number {\n  return ${i};\n}\n`,
    }));
    await running.call('files_ingest', { project_id, files });
    const node = { workspace_id, node_type: 'decision', title: 'Lamps', content: 'Each lamp has a keeper.' };
    const node_id = await make('memory_create_node', node);
    while ((await running.call<{ state: string }>('projects_index_status', { project_id })).state !== 'ready')
      await delay(50);
    return {
      workspace_id,
      project_id,
      node_id,
      path: 'src/lamp1.ts',
      target: { type: 'function', name: 'light1' },
    };
  }

  it('no tool of any plugin, no page and no background work connects anywhere', async () => {
    const running = await start();
    const known = await fill(running);
    const list = await fetch(`${running.url}/api/v1/tools/list?toolset=complete`);
    const { tools } = (await list.json()) as { tools: Listed[] };
    const losesData = ({ annotations }: Listed) => Number(annotations?.destructiveHint === true);
    const succeeded = new Set<string>();
    for (const { name, inputSchema } of tools.sort((a, b) => losesData(a) - losesData(b))) {
      const args = sampleArguments(inputSchema);
      for (const argument of Object.keys(inputSchema.properties ?? {}))
        if (argument in known && (argument in args || argument.endsWith('_id')))
          args[argument] = known[argument];
      await running.call(name, args).then(
        () => succeeded.add(name),
        () => undefined,
      );
    }
    assert.deepEqual(
      MAIN.split(' ').filter((name) => !succeeded.has(name)),
      [],
    );
    for (const path of ['/health', '/ready', '/metrics', '/openapi.json', '/docs'])
      assert.equal((await fetch(`${running.url}${path}`)).status, 200, path);
    await running.end();
    assert.deepEqual(await connections(), []);
    const watched = new Set((await recorded()).map(({ pid }) => pid));
    assert.ok(watched.size >= 2, 'the child process of the background work was watched too');
  });

  it('a configured provider is the one address, with the key of a file that no log shows', async () => {
    const server = new ModelServer();
    try {
      const url = await server.start();
      await writeFile(join(folder, 'key'), 'sk-of-a-file\n');
      const running = await start({
        SERVICE_EMBEDDING_PROVIDER: 'openai',
        SERVICE_EMBEDDING_URL: url,
        SERVICE_EMBEDDING_MODEL: 'm32',
        SERVICE_EMBEDDING_KEY_FILE: join(folder, 'key'),
        SERVICE_LOG_LEVEL: 'debug',
      });
      let printed = '';
      running.child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      await running.call('ai_embeddings', { input: 'lamp' });
      // Too many for the service itself: its child process embeds them, and the service counts what that one does.
      await fill(running, 40);
      const tokens = async () => {
        const metrics = await (await fetch(`${running.url}/metrics`)).text();
        return Number(/^service_mcp_embedding_tokens_total (\d+)$/mu.exec(metrics)?.[1]);
      };
      const sent = server.requests.flatMap(({ body: { input = [] } }) => input);
      const words = sent.filter((text) => text !== 'dimensions').flatMap((text) => text.split(/\s+/u));
      while ((await tokens()) < words.length) await delay(20);
      assert.equal(await tokens(), words.length);
      server.broken = (response) => void response.writeHead(401).end('sk-of-a-file');
      await assert.rejects(running.call('ai_embeddings', { input: 'other' }), /UNAVAILABLE.*check the key/);
      const [{ id: project_id }] = (await running.call<{ items: [{ id: string }] }>('projects_list', {}))
        .items;
      await running.call('files_ingest', { project_id, files: [{ path: 'a.md', content: 'A lamp.' }] });
      while (!printed.includes('the embedding provider gave no vectors')) await delay(20);
      await running.end();
      assert.deepEqual(new Set(server.requests.map(({ key }) => key)), new Set(['Bearer sk-of-a-file']));
      assert.deepEqual(new Set(await connections()), new Set([`tcp ${new URL(url).host}`]));
      assert.doesNotMatch(printed, /sk-of-a-file/);
    } finally {
      await server.stop();
    }
  });
});
