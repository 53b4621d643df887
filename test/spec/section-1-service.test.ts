import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { runBinary } from '../command.js';
import { startFilledService, type FilledService } from './filled-service.js';

describe('interface.md 1: purpose of the service', () => {
  let service: FilledService;
  before(async () => {
    service = await startFilledService();
  });
  after(() => service.stop());

  it('1, row 1: it organizes content in workspaces and projects', async () => {
    const { workspaceId, otherId } = service;
    const projectsOf = async (id: string) =>
      (await service.use<{ items: { workspace_id: string }[] }>('projects_list', { workspace_id: id })).items;
    assert.deepEqual(
      (await projectsOf(workspaceId)).map(({ workspace_id }) => workspace_id),
      [workspaceId],
    );
    assert.deepEqual(await projectsOf(otherId), []);
  });

  for (const [mode, query] of [
    ['semantic', 'lantern nights'],
    ['hybrid', 'refresh token'],
    ['keyword', 'refreshToken'],
    ['pattern', 'refresh\\w+\\('],
  ] as const) {
    it(`1, row 2: it offers the search mode ${mode}`, async () => {
      const found = await service.use<{ mode: string; results: object[] }>(`search_${mode}`, {
        query,
        workspace_id: service.workspaceId,
      });
      assert.equal(found.mode, mode);
      assert.ok(found.results.length > 0);
    });
  }

  it('1, row 6: the automation contract is MCP: an MCP client alone can list, search and read', async () => {
    const client = new Client({ name: 'spec', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
    const call = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;
    const names = new Set((await client.listTools()).tools.map((tool) => tool.name));
    for (const name of ['help', 'workspaces_list', 'search_hybrid', 'files_read']) assert.ok(names.has(name));
    const found = (await call('search_keyword', {
      query: 'refreshToken',
      workspace_id: service.workspaceId,
    })) as {
      results: { project_id: string; path: string }[];
    };
    const [first] = found.results;
    const file = await call('files_read', { project_id: first?.project_id, path: first?.path });
    assert.match(String(file['content']), /refreshToken/);
    await client.close();
  });

  it('1, row 7: a command-line tool service-mcp exists', async () => {
    const { code, stdout } = await runBinary(['--version']);
    assert.deepEqual([code, stdout.trim()], [0, service.host.deployment.version]);
  });
});
