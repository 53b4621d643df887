import { useState } from 'react';
import { useTool } from '../../api/use-tool.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { useWorkspace } from '../../shell/workspace.js';
import { counted } from '../../ui/format.js';
import { NothingLeft } from '../../ui/nothing-left.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Loaded } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { NothingYet } from './record-list.js';
import { RecordRows } from './record-rows.js';
import { Records } from './sources.js';
import { bucketName, daysOf, isBucket, movedBy, type Granularity } from './time-buckets.js';
import { columnsTo, TimelineChart } from './timeline-chart.js';

const GRANULARITIES = [
  { id: 'day', label: 'Days', columns: 30 },
  { id: 'week', label: 'Weeks', columns: 26 },
  { id: 'month', label: 'Months', columns: 24 },
] as const;
const ALL_TYPES = { query: '', kind: undefined, type: '', tag: '', project: '', status: '' } as const;

/** When things happened and became true: a chart of a stretch of time, and the records of it or of one column. */
export function Timeline({ onRemember }: { readonly onRemember: () => void }) {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const canWrite = useMayWrite()('memory_create_event');
  const asked = GRANULARITIES.find(({ id }) => id === get('by')) ?? GRANULARITIES[0];
  const [shown, setShown] = useState(asked);
  const { id: by, columns } = shown;
  const named = (name: string) => (isBucket(get(name), by) ? get(name) : '');
  const chosen = named('at');
  const timeline = useTool(
    'memory_timeline',
    {
      workspace_id: workspace.id,
      granularity: asked.id,
      per_page: 1, // its counts are of all time
    },
    { keep: true }, // with the buttons below, which have the focus
  );
  if (shown !== asked && timeline.data && !timeline.isPlaceholderData) setShown(asked);
  const choose = (name: string) => set({ at: name === chosen ? '' : name, page: '' });
  return (
    <Loaded query={timeline} lines={6}>
      {({ buckets }) => {
        const [newest, oldest] = [buckets[0]?.start, buckets.at(-1)?.start];
        if (newest === undefined || oldest === undefined)
          return (
            <section className="card" aria-label="Timeline">
              <NothingYet {...(canWrite && { onRemember })} />
            </section>
          );
        const last = named('end') || newest;
        const names = columnsTo(last, by, columns, oldest);
        const first = names[0] ?? last;
        const move = (steps: number) => {
          const end = movedBy(last, by, steps);
          set({ end: end >= newest ? '' : end, at: '', page: '' });
        };
        return (
          <>
            <section className="card timeline" aria-label="Timeline">
              <header className="card-head">
                <div className="segments" role="group" aria-label="Columns">
                  {GRANULARITIES.map(({ id, label }) => (
                    <button
                      key={id}
                      type="button"
                      aria-pressed={id === asked.id}
                      onClick={() =>
                        set({ by: id === GRANULARITIES[0].id ? '' : id, at: '', end: '', page: '' })
                      }
                    >
                      {label}
                    </button>
                  ))}
                </div>
                <div className="record-actions">
                  <button
                    type="button"
                    className="button small"
                    disabled={first <= oldest}
                    onClick={() => move(-columns)}
                  >
                    Earlier
                  </button>
                  <button
                    type="button"
                    className="button small"
                    disabled={last >= newest}
                    onClick={() => move(columns)}
                  >
                    Later
                  </button>
                </div>
              </header>
              <TimelineChart buckets={buckets} by={by} names={names} chosen={chosen} onChoose={choose} />
            </section>
            <Listed by={by} first={chosen || first} last={chosen || last} onAll={() => choose(chosen)} />
          </>
        );
      }}
    </Loaded>
  );
}

interface ListedProps {
  readonly by: Granularity;
  readonly first: string;
  readonly last: string;
  readonly onAll: () => void;
}

/** The records from the first column to the last, newest first. */
function Listed({ by, first, last, onAll }: ListedProps) {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const page = Number(get('page')) || 1;
  const isOne = first === last;
  const { from } = daysOf(first, by);
  const { to } = daysOf(last, by);
  const name = isOne ? bucketName(first, by) : `${bucketName(first, by)} to ${bucketName(last, by)}`;
  return (
    <section className="card" aria-label="Records of this time">
      <header className="card-head">
        <h2 className="grow" aria-live="polite">
          {name}
        </h2>
        <span className="muted time">days of UTC</span>
        {isOne && (
          <button type="button" className="button quiet small" onClick={onAll}>
            Show all
          </button>
        )}
      </header>
      <Records filters={{ ...ALL_TYPES, workspaceId: workspace.id, from, to, page }}>
        {({ rows, total, pages }) =>
          rows.length === 0 && total > 0 ? (
            <NothingLeft onFirst={() => set({ page: '' })} />
          ) : rows.length === 0 ? (
            <Empty title="Nothing in this time">
              <p>Choose another column, or go to an earlier or later time.</p>
            </Empty>
          ) : (
            <>
              <RecordRows rows={rows} />
              <Pager
                page={page}
                pages={pages}
                about={counted(total, 'record')}
                onPage={(next) => set({ page: String(next) })}
              />
            </>
          )
        }
      </Records>
    </section>
  );
}
