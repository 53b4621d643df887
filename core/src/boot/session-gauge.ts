import { Gauge, type Registry } from 'prom-client';
import type { Sessions } from '../sessions.js';

/** Shows how many sessions are open, counted when the metrics are read. */
export function countSessions(metrics: Registry, sessions: Sessions): void {
  const gauge: Gauge = new Gauge({
    name: 'service_mcp_sessions',
    help: 'MCP sessions that are open',
    registers: [metrics],
    async collect() {
      gauge.set(await sessions.count());
    },
  });
}
