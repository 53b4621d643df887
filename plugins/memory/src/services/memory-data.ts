import { WorkQueues, contribute, workspaceRows } from '@service-mcp/core';
import { ProjectData } from '@service-mcp/plugin-workspaces/contract';

/** What belongs to the records of a workspace, and goes with them. Events and nodes contribute themselves. */
export const memoryData = workspaceRows(
  [
    // First: it waits for a check that is under way, which then adds no finding to those that were erased.
    'memory_unchecked',
    'memory_tags',
    'memory_code_places',
    'memory_bands',
    'memory_left_terms',
    'memory_node_versions',
    'memory_edges',
    'memory_findings',
    'memory_changes',
    'memory_removed_records',
    'memory_kept_apart',
    'memory_unfinished_histories',
  ].map((table) => ({
    table,
  })),
);

/** Memory outlives its project: it belongs to the workspace from then on. */
export const projectMemory = contribute(ProjectData, {
  uses: { queues: WorkQueues },
  create: ({ queues }): ProjectData => ({
    async erase(sql, project_id) {
      for (const table of ['memory_events', 'memory_nodes']) {
        const queue = queues.open({ name: table, table });
        await sql(table)
          .where({ project_id })
          .update({ project_id: null, ...queue.changed(sql) });
      }
    },
  }),
});
