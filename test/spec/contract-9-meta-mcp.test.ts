import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startService, type Service } from '../start-service.js';
import { dataOf, send } from './http.js';

const META = ['tools_call_read', 'tools_call_write', 'tools_describe', 'tools_search'];
const FILE = 'service://projects/{project_id}/files/{+path}';

/** The calls that both clients share. */
interface AnyClient {
  listTools(): Promise<{ tools: Array<{ name: string }> }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}
interface Called {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly result?: Record<string, unknown> };
  readonly content: ReadonlyArray<{ readonly text?: string }>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

describe('contract.md 9: over MCP', () => {
  let service: Service;
  let projectId: string;
  before(async () => {
    service = await startService();
    await service.use('workspaces_create', { name: 'w' });
    projectId = (await service.use<{ id: string }>('projects_create', { name: 'lamp' })).id;
    const files = [{ path: 'src/a b.ts', content: 'export const lamp = 1;\n' }];
    await service.use('files_ingest', { project_id: projectId, files });
  });
  after(() => service.stop());

  const options = (toolset?: string) => ({
    requestInit: { headers: toolset === undefined ? {} : { 'X-Service-Toolset': toolset } },
  });
  const modern = async (toolset?: string, path = '/mcp') => {
    const client = new Client({ name: 't', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(path, service.url), options(toolset)));
    return client;
  };
  const former = async (toolset?: string): Promise<FormerClient> => {
    const client = new FormerClient({ name: 't', version: '1' });
    const transport = new FormerTransport(new URL('/mcp', service.url), options(toolset));
    await client.connect(transport);
    return client;
  };

  it('GET /v1/deployment tells how many bytes a model reads of a toolset', async () => {
    const { body } = await send(service.url, 'GET', '/v1/deployment');
    const { toolsets } = dataOf<{ toolsets: ReadonlyArray<{ id: string; list_bytes: number }> }>(body);
    for (const id of ['memory', 'graph', 'projects']) {
      const client = await modern(id);
      try {
        const { tools } = await client.listTools();
        const bytes = tools.reduce((sum, tool) => sum + Buffer.byteLength(JSON.stringify(tool)), 0);
        assert.equal(toolsets.find((each) => each.id === id)?.list_bytes, bytes, id);
      } finally {
        await client.close();
      }
    }
  });

  for (const [name, connect] of [
    ['SDK 2.x client', () => modern('meta')],
    ['SDK 1.x client', () => former('meta')],
  ] as ReadonlyArray<[string, () => Promise<AnyClient>]>) {
    it(`X-Service-Toolset: meta lists four tools, which reach the others (${name})`, async () => {
      const client = await connect();
      try {
        const { tools } = await client.listTools();
        assert.deepEqual(
          tools.map((tool) => tool.name),
          META,
        );
        const call = async (tool: string, args: Record<string, unknown>) =>
          (await client.callTool({ name: tool, arguments: args })) as Called;
        const read = await call('tools_call_read', {
          name: 'projects_get',
          arguments: { project_id: projectId },
        });
        assert.deepEqual(read.structuredContent?.result?.['id'], projectId);
        assert.ok(read.content[0]?.text?.includes(projectId), 'as text too');
        const file = { project_id: projectId, path: 'src/a b.ts' };
        const { content } = await call('tools_call_read', { name: 'files_read', arguments: file });
        assert.equal(content[0]?.text, 'src/a b.ts, lines 1 to 1 of 1\nexport const lamp = 1;\n');
        const refused = await call('tools_call_read', {
          name: 'projects_get',
          arguments: { project_id: 'lamp' },
        });
        assert.equal(refused.isError, true);
        const error = refused._meta?.['service-mcp/error'] as { code: string; details: unknown };
        assert.equal(error.code, 'INVALID_ARGUMENT');
        assert.ok(error.details);
        const wrong = await call('tools_call_read', { name: 'projects_create', arguments: { name: 'x' } });
        assert.match(wrong.content[0]?.text ?? '', /tools_call_write/);
        const written = await call('tools_call_write', { name: 'projects_create', arguments: { name } });
        assert.equal(written.structuredContent?.result?.['name'], name);
      } finally {
        await client.close();
      }
    });
  }

  it('are listed only on request', async () => {
    for (const path of ['/mcp', '/mcp?toolset=complete', '/agent-a', '/client']) {
      const client = await modern(undefined, path);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.filter(({ name }) => META.includes(name)),
        [],
        path,
      );
      await client.close();
    }
  });

  it('resources, templates, completion and prompts answer', async () => {
    const client = await modern();
    try {
      assert.ok((await client.listResources()).resources.some(({ uri }) => uri === 'service://workspaces'));
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === FILE));
      const { contents } = await client.readResource({
        uri: `service://projects/${projectId}/files/src/a%20b.ts`,
      });
      const [file] = contents;
      assert.ok(file && 'text' in file);
      assert.equal(file.text, 'export const lamp = 1;\n');
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: FILE },
        argument: { name: 'path', value: 'src/' },
      });
      assert.deepEqual(completion.values, ['src/a b.ts']);
      const { completion: projects } = await client.complete({
        ref: { type: 'ref/prompt', name: 'record_decision' },
        argument: { name: 'project_id', value: projectId.slice(0, 30) },
      });
      assert.ok(projects.values.includes(projectId));
      const { prompts } = await client.listPrompts();
      assert.deepEqual(prompts.map(({ name }) => name).sort(), [
        'explain_code',
        'hand_over_session',
        'record_decision',
        'review_knowledge',
        'review_project',
        'start_task',
      ]);
      const { messages } = await client.getPrompt({
        name: 'review_project',
        arguments: { project_id: projectId },
      });
      assert.equal(messages[0]?.content.type, 'text');
    } finally {
      await client.close();
    }
  });
});
