import { Counter, Histogram, type Registry } from 'prom-client';
import type { Surface } from '../caller.js';
import type { ErrorCode } from '../errors.js';

/** A call that has ended. */
export interface EndedCall {
  /** The name of a tool that exists, or `unknown`: it becomes a label. */
  readonly tool: string;
  readonly surface: Surface;
  readonly code: 'OK' | ErrorCode;
  readonly seconds: number;
  /** The workspace of a call that was admitted to one. */
  readonly workspaceId: string | undefined;
}
export type ObserveCall = (call: EndedCall) => void;

/** The metrics of calls, by labels that are bounded: tools, surfaces (ours and the ids of transports), codes of the table. */
export function createCallMetrics(metrics: Registry): ObserveCall {
  const calls = new Counter({
    name: 'service_mcp_calls_total',
    help: 'Calls by tool, surface and outcome (OK or the error code)',
    labelNames: ['tool', 'surface', 'code'] as const,
    registers: [metrics],
  });
  const duration = new Histogram({
    name: 'service_mcp_call_duration_seconds',
    help: 'Duration of calls by tool and surface',
    labelNames: ['tool', 'surface'] as const,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [metrics],
  });
  // Bound to its labels once: finding a series by its labels costs more than counting in it.
  const counters = new Map<string, Counter.Internal>();
  const histograms = new Map<string, Histogram.Internal<'tool' | 'surface'>>();
  return ({ tool, surface, code, seconds }) => {
    const place = `${tool} ${surface}`;
    const counted = `${place} ${code}`;
    let counter = counters.get(counted);
    if (!counter) counters.set(counted, (counter = calls.labels({ tool, surface, code })));
    counter.inc();
    let histogram = histograms.get(place);
    if (!histogram) histograms.set(place, (histogram = duration.labels({ tool, surface })));
    histogram.observe(seconds);
  };
}
