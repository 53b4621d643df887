import type { Metrics } from '@service-mcp/core';
import type { IndexCheck } from './health.js';

/**
 * Metrics of the index. The tables store their row counts, so that nothing is scanned, and the health check is the
 * cached one of searches.
 */
export function registerIndexGauges(metrics: Metrics, check: IndexCheck): void {
  metrics.gauge({
    name: 'service_mcp_index_generation',
    help: 'How often the search index was built from nothing',
    read: async (set) => set((await check.read()).generation),
  });
  metrics.gauge({
    name: 'service_mcp_index_healthy',
    help: '1 where the search index is sound, 0 where it must be repaired',
    read: async (set) => set((await check.read()).healthy ? 1 : 0),
  });
  metrics.gauge({
    name: 'service_mcp_index_rows',
    help: 'Rows of the search index',
    labels: ['table'],
    async read(set) {
      const index = await check.read();
      if (!index.healthy) return;
      const { documents, chunks, vectorTables } = index.tables;
      let vectors = 0;
      for (const table of vectorTables.values()) vectors += await table.countRows();
      set(await documents.countRows(), { table: 'documents' });
      set(await chunks.countRows(), { table: 'chunks' });
      set(vectors, { table: 'vectors' });
    },
  });
}
