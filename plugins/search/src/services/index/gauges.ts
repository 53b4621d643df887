import type { Metrics } from '@service-mcp/core';
import type { Generations } from './generations.js';
import type { IndexCheck } from './health.js';

/** Metrics of the indexes of all workspaces. Row counts are those that the indexer noted last: nothing is opened. */
export function registerIndexGauges(metrics: Metrics, generations: Generations, check: IndexCheck): void {
  metrics.gauge({
    name: 'service_mcp_index_workspaces',
    help: 'Workspaces that have a search index',
    read: async (set) => set((await generations.workspaces()).length),
  });
  metrics.gauge({
    name: 'service_mcp_index_damaged',
    help: 'Workspaces whose search index must be repaired',
    read: async (set) => set((await check.damaged()).size),
  });
  metrics.gauge({
    name: 'service_mcp_index_rows',
    help: 'Rows of the search indexes',
    labels: ['table'],
    async read(set) {
      for (const [table, rows] of Object.entries(await generations.counts())) set(rows, { table });
    },
  });
}
