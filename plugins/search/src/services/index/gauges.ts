import { Gauge, type Registry } from 'prom-client';
import type { Log } from '@service-mcp/core';
import type { Health, IndexCheck } from './health.js';

/**
 * Metrics of the index. The tables store their row counts, so that nothing is scanned, and the health check is the
 * cached one of searches.
 */
export function showIndex(metrics: Registry, check: IndexCheck, log: Log): object {
  const show = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    set: (gauge: Gauge<L>, index: Health) => unknown,
  ): Gauge<L> => {
    const gauge: Gauge<L> = new Gauge({
      name,
      help,
      labelNames,
      registers: [metrics],
      // Without the index a scrape still succeeds, without these values.
      async collect() {
        try {
          await set(gauge, await check.read());
        } catch (err) {
          if (labelNames.length > 0) gauge.reset();
          else gauge.remove({}); // a reset would make it 0
          log.warn({ err, metric: name }, 'the search index could not be measured');
        }
      },
    });
    return gauge;
  };
  return {
    generation: show(
      'service_mcp_index_generation',
      'How often the search index was built from nothing',
      [],
      (gauge, { generation }) => gauge.set(generation),
    ),
    healthy: show(
      'service_mcp_index_healthy',
      '1 where the search index is sound, 0 where it must be repaired',
      [],
      (gauge, { healthy }) => gauge.set(healthy ? 1 : 0),
    ),
    rows: show('service_mcp_index_rows', 'Rows of the search index', ['table'], async (gauge, index) => {
      if (!index.healthy) return gauge.reset();
      const { documents, chunks, vectorTables } = index.tables;
      let vectors = 0;
      for (const table of vectorTables.values()) vectors += await table.countRows();
      gauge.set({ table: 'documents' }, await documents.countRows());
      gauge.set({ table: 'chunks' }, await chunks.countRows());
      gauge.set({ table: 'vectors' }, vectors);
    }),
  };
}
