import type { Output } from '../../api/call.js';
import { ColumnChart } from '../../ui/column-chart.js';
import { count, counted } from '../../ui/format.js';
import { timeOf } from './usage-time.js';

type Period = Output<'deployment_usage'>['periods'][number];

const STEP_MS = { hour: 3_600_000, day: 86_400_000 } as const;
const STEPS = { hour: 24, day: 30 } as const;

/** Calls of each hour or day as columns, the failed ones at their foot. The table below holds the same. */
export function UsageChart({
  periods,
  granularity,
}: {
  readonly periods: readonly Period[];
  readonly granularity: 'hour' | 'day';
}) {
  const step = STEP_MS[granularity];
  const last = Date.parse(periods.at(-1)?.start ?? '');
  const columns = Array.from({ length: STEPS[granularity] }, (_, index) => {
    const start = new Date(last - (STEPS[granularity] - 1 - index) * step);
    return periods.find((period) => Date.parse(period.start) === start.getTime()) ?? none(start);
  });
  const most = Math.max(...columns.map(({ calls }) => calls));
  const total = columns.reduce((sum, { calls }) => sum + calls, 0);
  const failed = columns.reduce((sum, each) => sum + each.failed, 0);
  return (
    <figure className="chart">
      <ColumnChart
        label={`${counted(total, 'call')}, at most ${count(most)} in one ${granularity}`}
        columns={columns.map(({ start, calls, failed: bad }) => ({
          key: start,
          title: `${timeOf(start, granularity)}: ${counted(calls, 'call')}, ${count(bad)} failed`,
          parts: [
            { className: 'failures', value: bad },
            { className: 'chart-0', value: calls - bad },
          ],
        }))}
      />
      <figcaption className="muted time">
        <span>{timeOf(columns[0]?.start ?? '', granularity)}</span>
        <span>
          <span className="swatch chart-0" /> {counted(total, 'call')} <span className="swatch failures" />{' '}
          {count(failed)} failed
        </span>
        <span>{timeOf(columns.at(-1)?.start ?? '', granularity)}</span>
      </figcaption>
    </figure>
  );
}

const none = (start: Date): Period => ({
  start: start.toISOString(),
  calls: 0,
  failed: 0,
  p50_ms: 0,
  p95_ms: 0,
});
