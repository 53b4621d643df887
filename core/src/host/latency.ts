import { Histogram, type Registry } from 'prom-client';

/** The histogram of call durations, by labels that are bounded: tools, surfaces, codes of the table. */
export function latencyIn(metrics: Registry) {
  return new Histogram({
    name: 'service_mcp_call_duration_seconds',
    help: 'Duration of calls by tool, surface and outcome (OK or the error code)',
    labelNames: ['tool', 'surface', 'code'] as const,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [metrics],
  });
}
