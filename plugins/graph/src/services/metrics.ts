import type { Metrics } from '@service-mcp/core';
import type { GraphLoader } from './graph-loader.js';
import type { GraphStore } from './store/graph-store.js';

/** Metrics of the graphs of all projects, counted in SQL: the process that writes them may be another one. */
export function registerGraphGauges(metrics: Metrics, store: GraphStore, loader: GraphLoader): void {
  metrics.gauge({
    name: 'service_mcp_graph_projects',
    help: 'Projects that have a code graph',
    read: async (set) => set((await store.totals()).projects),
  });
  metrics.gauge({
    name: 'service_mcp_graph_files',
    help: 'Files in the code graphs, by whether they have symbols',
    labels: ['state'],
    async read(set) {
      const { files, skipped } = await store.totals();
      set(files - skipped, { state: 'ok' });
      set(skipped, { state: 'skipped' });
    },
  });
  metrics.gauge({
    name: 'service_mcp_graph_resolve_seconds',
    help: 'The longest of the last resolutions of all projects',
    read: async (set) => set((await store.totals()).resolveMs / 1000),
  });
  metrics.gauge({
    name: 'service_mcp_graph_cache_bytes',
    help: 'Memory of the graphs that this process has loaded',
    read: (set) => set(loader.bytes),
  });
}
