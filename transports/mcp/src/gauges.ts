import { Gauge, type Registry } from 'prom-client';
import type { OpenStreams } from './open-streams.js';
import type { PendingRequests } from './pending-requests.js';

/** Registers gauges of what MCP clients hold open in this process; counted when the metrics are read. */
export function registerGauges(metrics: Registry, open: OpenStreams, pending: PendingRequests): void {
  const gauge = (name: string, help: string, count: () => number) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      collect() {
        this.set(count());
      },
    });
  gauge('service_mcp_change_streams', 'Event streams that MCP clients hold open', () => open.count);
  gauge('service_mcp_questions', 'Questions to MCP clients that wait for an answer', () => pending.count);
}
