import type { Output } from '../../api/call.js';
import { ColumnChart } from '../../ui/column-chart.js';
import { count, counted, words } from '../../ui/format.js';
import { bucketName, movedBy, type Granularity } from './time-buckets.js';

type Bucket = Output<'memory_timeline'>['buckets'][number];

/** As many colours as stay apart; the last one is for all other types. */
const MAX_NAMED = 5;
/** Fewer columns would be too wide to look like a chart. */
const FEWEST = 12;
const OTHER = 'Other types';

interface Props {
  readonly buckets: readonly Bucket[];
  readonly by: Granularity;
  /** The names of the columns, the earliest first. */
  readonly names: readonly string[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

/** Records over time, stacked by type; the same as a table, whose rows are chosen like columns. */
export function TimelineChart({ buckets, by, names, chosen, onChoose }: Props) {
  const series = seriesOf(buckets);
  const rows = names.map((name) => buckets.find(({ start }) => start === name) ?? none(name));
  const total = rows.reduce((sum, each) => sum + each.count, 0);
  const most = Math.max(...rows.map((each) => each.count));
  const [first = '', last = ''] = [names[0], names.at(-1)];
  return (
    <>
      <figure className="chart">
        <ColumnChart
          label={`${counted(total, 'record')}, at most ${count(most)} in one ${by}`}
          columns={rows.map((row) => ({
            key: row.start,
            title: `${bucketName(row.start, by)}: ${counted(row.count, 'record')}`,
            parts: series.map(({ of }, index) => ({ className: `chart-${index}`, value: of(row) })),
          }))}
          chosen={chosen}
          onChoose={onChoose}
        />
        <figcaption className="muted time">
          <span>{bucketName(first, by)}</span>
          <span className="optional">
            At most {count(most)} in one {by}
          </span>
          <span>{bucketName(last, by)}</span>
        </figcaption>
        <ul className="legend">
          {series.map(({ name, of }, index) => (
            <li key={name}>
              <span className={`swatch chart-${index}`} />
              {name}
              <span className="muted">{count(rows.reduce((sum, row) => sum + of(row), 0))}</span>
            </li>
          ))}
        </ul>
      </figure>
      <details className="as-table">
        <summary>The same as a table</summary>
        <div className="table" tabIndex={0} role="region" aria-label="Records by time and type">
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Records</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows
                .filter((row) => row.count > 0)
                .reverse()
                .map((row) => (
                  <tr key={row.start}>
                    <th scope="row">
                      <button
                        type="button"
                        className="link"
                        aria-pressed={row.start === chosen}
                        onClick={() => onChoose(row.start)}
                      >
                        {bucketName(row.start, by)}
                      </button>
                    </th>
                    <td>{count(row.count)}</td>
                    {series.map(({ name, of }) => (
                      <td key={name}>{count(of(row))}</td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

/** The most frequent types in all of time, so that a colour keeps its meaning from one window to the next. */
function seriesOf(buckets: readonly Bucket[]) {
  const totals = new Map<string, number>();
  for (const { by_type } of buckets)
    for (const [type, many] of Object.entries(by_type)) totals.set(type, (totals.get(type) ?? 0) + many);
  const types = [...totals].sort(([, a], [, b]) => b - a).map(([type]) => type);
  const named = types.slice(0, MAX_NAMED);
  const others = types.slice(MAX_NAMED);
  const sum = (row: Bucket, of: readonly string[]) =>
    of.reduce((all, type) => all + (row.by_type[type] ?? 0), 0);
  return [
    ...named.map((type) => ({ name: words(type), of: (row: Bucket) => sum(row, [type]) })),
    ...(others.length === 0 ? [] : [{ name: OTHER, of: (row: Bucket) => sum(row, others) }]),
  ];
}

const none = (start: string): Bucket => ({ start, count: 0, by_type: {} });

/** The names of the columns up to the last one, the earliest first: `most`, and fewer where there is nothing older. */
export function columnsTo(last: string, by: Granularity, most: number, oldest: string): string[] {
  const names = Array.from({ length: most }, (_, index) => movedBy(last, by, index - most + 1));
  return names.filter((name, index) => name >= oldest || index >= most - FEWEST);
}
