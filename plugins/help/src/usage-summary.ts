import type { UsageRow } from '@service-mcp/core';

export interface UsageSummary {
  readonly calls: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
}

/** Rows of one group: never empty. */
type Group = readonly [UsageRow, ...UsageRow[]];

export function groupRows(rows: readonly UsageRow[], keyOf: (row: UsageRow) => string): readonly Group[] {
  const groups = new Map<string, [UsageRow, ...UsageRow[]]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups.values()];
}

export function sumCalls(rows: readonly UsageRow[]): number {
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}

/** Number of calls, median and 95th percentile in milliseconds. */
export function summarize(rows: readonly UsageRow[]): UsageSummary {
  return { calls: sumCalls(rows), p50_ms: quantile(rows, 0.5), p95_ms: quantile(rows, 0.95) };
}

/**
 * A quantile of durations in buckets, linear inside a bucket as in PromQL
 * (https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile).
 */
function quantile(rows: readonly UsageRow[], share: number): number {
  const wanted = sumCalls(rows) * share;
  let below = 0;
  for (const { upperMs, calls } of rows.toSorted((a, b) => a.upperMs - b.upperMs)) {
    const lowerMs = upperMs === 1 ? 0 : upperMs / 2;
    if (below + calls >= wanted)
      return Math.round((lowerMs + ((upperMs - lowerMs) * (wanted - below)) / calls) * 10) / 10;
    below += calls;
  }
  return 0;
}
