import { Gauge, type Registry } from 'prom-client';
import type { OpenStreams } from './open-streams.js';
import type { Questions } from './questions.js';

/** Shows what MCP clients keep open in this process, counted when the metrics are read. */
export function countOpen(metrics: Registry, open: OpenStreams, questions: Questions): void {
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
  gauge('service_mcp_questions', 'Questions to MCP clients that wait for an answer', () => questions.waiting);
}
