import { useTool } from '../../api/use-tool.js';
import { hasRole, useWorkspace } from '../../shell/workspace.js';
import { count, words } from '../../ui/format.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Loaded } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { UsageChart } from './usage-chart.js';
import { timeOf } from './usage-time.js';

const PAGE_SIZE = 15;
/** No event tells of calls; the service adds up its counts twice a minute. */
const EVERY_MS = 60_000;
const SPANS = [
  { id: 'hour', label: 'Last day' },
  { id: 'day', label: 'Last 30 days' },
] as const;

/** Calls of the workspace by time, tool and outcome: a chart, and the same in tables. For its admins. */
export function Usage() {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const isAdmin = hasRole(workspace, 'admin');
  const granularity = get('span') === 'day' ? 'day' : 'hour';
  const page = Number(get('page')) || 1;
  const usage = useTool(
    'deployment_usage',
    { workspace_id: workspace.id, granularity, page, per_page: PAGE_SIZE },
    { enabled: isAdmin, keep: true, everyMs: EVERY_MS },
  );
  return (
    <section className="card usage" aria-labelledby="usage">
      <header className="card-head">
        <h2 id="usage" className="grow">
          Calls
        </h2>
        <div className="segments" role="group" aria-label="Time">
          {SPANS.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === granularity}
              onClick={() => set({ span: id === 'day' ? id : '', page: '' })}
            >
              {label}
            </button>
          ))}
        </div>
      </header>
      {isAdmin ? (
        <Loaded query={usage} lines={6}>
          {({ items, total, periods }) =>
            periods.length === 0 ? (
              <Empty title="Nothing was called in this time">
                <p>Calls of connected clients appear here within a minute.</p>
              </Empty>
            ) : (
              <>
                <UsageChart periods={periods} granularity={granularity} />
                <div
                  className="table"
                  tabIndex={0}
                  role="region"
                  aria-label="Calls by time, tool and outcome"
                >
                  <table>
                    <thead>
                      <tr>
                        <th scope="col">From</th>
                        <th scope="col">Tool</th>
                        <th scope="col">Outcome</th>
                        <th scope="col">Calls</th>
                        <th scope="col">Median</th>
                        <th scope="col">95th percentile</th>
                      </tr>
                    </thead>
                    <tbody>
                      {items.map(({ start, tool, outcome, calls, p50_ms, p95_ms }) => (
                        <tr key={`${start} ${tool} ${outcome}`}>
                          <td className="muted">{timeOf(start, granularity)}</td>
                          <td className="mono">{tool}</td>
                          <td>
                            <span className={outcome === 'OK' ? 'badge good' : 'badge bad'}>
                              {outcome === 'OK' ? 'OK' : words(outcome.toLowerCase())}
                            </span>
                          </td>
                          <td>{count(calls)}</td>
                          <td>{milliseconds(p50_ms)}</td>
                          <td>{milliseconds(p95_ms)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
                <Pager
                  page={page}
                  pages={Math.ceil(total / PAGE_SIZE)}
                  about={`${count(total)} rows; durations within a factor of 2`}
                  onPage={(next) => set({ page: String(next) })}
                />
              </>
            )
          }
        </Loaded>
      ) : (
        <Empty title="For admins of the workspace">
          <p>They see here which tools are called, how often, and how long they take.</p>
        </Empty>
      )}
    </section>
  );
}

const milliseconds = (value: number): string =>
  `${value < 10 ? value.toFixed(1) : count(Math.round(value))} ms`;
