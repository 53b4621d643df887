import assert from 'node:assert/strict';
import { startService, type Service } from '../start-service.js';
import { send } from './http.js';

/** The rows of contract.md 9, as far as the plugins of the default deployment own them. */
const LEVELS = {
  light:
    'help init context search_hybrid search_pattern memory_create_event memory_search graph_dependencies workspaces_list',
  standard:
    'search_semantic search_keyword memory_create_node memory_list_events memory_timeline memory_decisions memory_supersede_node graph_impact_analysis graph_call_paths graph_related_knowledge ai_context ai_enhanced_context ai_generate_plan projects_list projects_index_status files_read',
  complete:
    'workspaces_create workspaces_get workspaces_update workspaces_delete workspaces_export workspaces_overview members_list members_get members_add members_update members_remove members_list_invitations members_accept members_decline projects_create projects_get projects_update projects_delete projects_retry_index files_ingest files_list files_delete memory_get_event memory_update_event memory_delete_event memory_list_nodes memory_get_node memory_update_node memory_delete_node memory_node_history memory_set_node_status memory_hygiene memory_merge memory_keep_apart memory_undo memory_delete_many memory_facets graph_symbols graph_overview graph_list_links graph_unlink_knowledge graph_cycles graph_unused graph_link_knowledge ai_embeddings deployment_get deployment_usage',
} as const;

describe('contract.md 9: tools', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const names = async (toolset: string): Promise<string[]> => {
    const { body } = await send<{ tools: { name: string }[] }>(
      service.url,
      'GET',
      `/api/v1/tools/list?toolset=${toolset}`,
    );
    return body.tools.map(({ name }) => name);
  };

  const upTo: string[] = [];
  for (const [level, added] of Object.entries(LEVELS)) {
    upTo.push(...added.split(' '));
    const expected = [...upTo].sort();
    it(`${level}: ${expected.length} tools`, async () => {
      assert.deepEqual(await names(level), expected);
    });
  }

  it('standard is the default level', async () => {
    const { body } = await send<{ tools: { name: string }[] }>(service.url, 'GET', '/api/v1/tools/list');
    assert.deepEqual(
      body.tools.map(({ name }) => name),
      await names('standard'),
    );
  });

  it("OpenAPI's operationId is the tool's name", async () => {
    type Operation = { operationId: string; 'x-tool'?: string };
    const { body } = await send<{ paths: Record<string, Record<string, Operation>> }>(
      service.url,
      'GET',
      '/openapi.json',
    );
    const own = Object.values(body.paths).flatMap((operations) =>
      Object.values(operations).filter(({ operationId, 'x-tool': tool }) => operationId === tool),
    );
    const restAlone = ['memory_export', 'memory_import'];
    assert.deepEqual(
      own.map(({ operationId }) => operationId).sort(),
      [...(await names('complete')), ...restAlone].sort(),
    );
  });

  it('readonly=true keeps the tools that read', async () => {
    const listed = new Set(await names('complete&readonly=true'));
    assert.ok(listed.has('search_hybrid') && listed.has('files_list'));
    for (const name of ['workspaces_create', 'files_ingest', 'projects_delete']) assert.ok(!listed.has(name));
  });
});
