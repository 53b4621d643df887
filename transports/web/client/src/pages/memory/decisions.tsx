import { useRef } from 'react';
import type { Output } from '../../api/call.js';
import { useTool } from '../../api/use-tool.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { useWorkspace } from '../../shell/workspace.js';
import { counted } from '../../ui/format.js';
import { NothingLeft } from '../../ui/nothing-left.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { useAddress } from '../../ui/use-address.js';
import { useListKeys } from '../../ui/use-list-keys.js';
import { StatusBadge } from './badges.js';
import { useOpenRecord } from './open-record.js';

type Decision = Output<'memory_decisions'>['items'][number];

const PAGE_SIZE = 30;
const STATES = [
  { id: '', label: 'In force' },
  { id: 'disputed', label: 'Disputed' },
  { id: 'superseded', label: 'Superseded' },
] as const;

/** What was decided and why: what is in force, in doubt or superseded, now or at the end of a day in the past. */
export function Decisions({ onRemember }: { readonly onRemember: () => void }) {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const list = useRef<HTMLUListElement>(null);
  useListKeys(list, '.record-open');
  const canWrite = useMayWrite()('memory_create_node');
  const { id: state } = STATES.find(({ id }) => id === get('state')) ?? STATES[0];
  const day = get('day');
  const isNarrowed = state !== '' || day !== '';
  const page = Number(get('page')) || 1;
  const decisions = useTool(
    'memory_decisions',
    {
      workspace_id: workspace.id,
      page,
      per_page: PAGE_SIZE,
      ...(state !== '' && { status: state }),
      ...(day !== '' && { as_of: day }),
    },
    { keep: true },
  );
  return (
    <>
      <div className="search-bar first">
        <div className="segments" role="group" aria-label="State">
          {STATES.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === state}
              onClick={() => set({ state: id, page: '' })}
            >
              {label}
            </button>
          ))}
        </div>
        <label className="day">
          As of
          <input
            type="date"
            className="control"
            value={day}
            onChange={({ target }) => set({ day: target.value, page: '' })}
          />
        </label>
      </div>
      {day !== '' && (
        <div className="notice inline">
          <p className="grow">This is what was held true at the end of {day} (UTC).</p>
          <button type="button" className="button small" onClick={() => set({ day: '', page: '' })}>
            Back to now
          </button>
        </div>
      )}
      <section className="card" aria-label="Decisions">
        <Loaded query={decisions}>
          {({ items, total }) => (
            <>
              {items.length === 0 && total > 0 && <NothingLeft onFirst={() => set({ page: '' })} />}
              {total === 0 && (
                <Empty title={isNarrowed ? 'No decision matches' : 'No decision is recorded yet'}>
                  <p>
                    {isNarrowed
                      ? 'Choose another state or day.'
                      : 'Record the first one with its reason, or ask a connected client: “Record that we decided on SQLite, because one file is enough.”'}
                  </p>
                  {canWrite && !isNarrowed && (
                    <button type="button" className="button primary" onClick={onRemember}>
                      Record a decision
                    </button>
                  )}
                </Empty>
              )}
              <ul className="rows records" ref={list}>
                {items.map((decision) => (
                  <DecisionRow key={decision.id} decision={decision} isPast={day !== ''} />
                ))}
              </ul>
              <Pager
                page={page}
                pages={Math.ceil(total / PAGE_SIZE)}
                about={counted(total, 'decision')}
                onPage={(next) => set({ page: String(next) })}
              />
            </>
          )}
        </Loaded>
      </section>
    </>
  );
}

function DecisionRow({ decision, isPast }: { readonly decision: Decision; readonly isPast: boolean }) {
  const { kind, id, title, summary, rationale, status, decided_at, superseded_by } = decision;
  const { opened, open } = useOpenRecord();
  const may = useMayWrite();
  const isOpen = kind === 'node' && status !== 'superseded' && !isPast; // what it was then says nothing of now
  const canSupersede = isOpen && may('memory_supersede_node');
  return (
    <li className={opened?.id === id ? 'opened' : ''}>
      <button
        type="button"
        className="record-open"
        aria-current={opened?.id === id ? 'true' : undefined}
        onClick={() => open(kind, id)}
      >
        <span className="record-title">
          <b>{title}</b>
          {status !== 'active' && <StatusBadge status={status} />}
        </span>
        {summary !== title && <span className="muted clamp">{summary}</span>}
        {rationale !== '' && rationale !== summary && (
          <span className="clamp">
            <span className="strong">Why: </span>
            {rationale}
          </span>
        )}
      </button>
      <span className="row-end">
        <Time value={decided_at} />
        {superseded_by !== null && (
          <button
            type="button"
            className="button quiet small"
            aria-label={`What holds now in the place of ${title}`}
            onClick={() => open('node', superseded_by)}
          >
            What holds now
          </button>
        )}
        {canSupersede && (
          <button
            type="button"
            className="button quiet small"
            aria-label={`Supersede ${title}`}
            onClick={() => open(kind, id, 'supersede')}
          >
            Supersede…
          </button>
        )}
      </span>
    </li>
  );
}
