import { definePlugin, provide } from '@service-mcp/core';
import { testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import { ProjectGraph, ProjectGraphs, queryTools, type FileGraph } from '@service-mcp/plugin-graph/internals';
import memory from '@service-mcp/plugin-memory';
import search from '@service-mcp/plugin-search';
import secrets from '@service-mcp/plugin-secrets';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';
import { IndexStatuses } from '@service-mcp/plugin-workspaces/contract';

/** A host with the tools that query the graph, over graphs that the test states by project. */
export function startTools(
  database: TestDatabase,
  graphs: ReadonlyMap<string, readonly FileGraph[]>,
): Promise<TestHost> {
  const stated = provide(ProjectGraphs, {
    uses: { statuses: IndexStatuses },
    create: ({ statuses }) => ({
      async read(projectId, workspaceId) {
        const index = await statuses.glance(workspaceId, projectId);
        const graph = ProjectGraph.from(graphs.get(projectId) ?? []);
        return { graph, index: { ...index, unread: index.pending } };
      },
    }),
  });
  const graph = definePlugin({
    id: 'graph',
    description: 'Queries over stated graphs.',
    api: '^1',
    requires: ['memory', 'workspaces'],
    services: [stated],
    toolsets: [{ id: 'graph', description: 'Queries.', tools: queryTools }],
  });
  return testHost({
    plugins: [workspaces, syntax, search, secrets, memory, graph],
    database,
    workers: false,
  });
}
