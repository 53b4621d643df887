import type { Metrics } from '@service-mcp/core';
import type { OpenStreams } from './open-streams.js';
import type { PendingRequests } from './pending-requests.js';

/** Registers gauges of what MCP clients hold open in this process. */
export function registerGauges(metrics: Metrics, open: OpenStreams, pending: PendingRequests): void {
  metrics.gauge({
    name: 'service_mcp_change_streams',
    help: 'Event streams that MCP clients hold open',
    read: (set) => set(open.count),
  });
  metrics.gauge({
    name: 'service_mcp_questions',
    help: 'Questions to MCP clients that wait for an answer',
    read: (set) => set(pending.count),
  });
}
