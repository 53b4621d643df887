import { useState } from 'react';
import { STATES, useLive } from '../../api/use-live.js';
import { isLike, useRecentEvents, type RecentEvent } from '../../api/recent-events.js';
import { Page } from '../../shell/page.js';
import { useWorkspace } from '../../shell/workspace.js';
import { count } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { Select } from '../../ui/select.js';
import { Empty } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { AuditLog } from './audit-log.js';
import { KINDS, kindOf } from './describe-event.js';
import { EventRow } from './event-row.js';
import { MemoryTimeline } from './memory-timeline.js';

const PAGE_SIZE = 50;

/** What happens in the workspace while this tab is open, and what came before. */
export function Activity() {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const live = useLive();
  const all = useRecentEvents();
  const [paused, setPaused] = useState<readonly RecentEvent[]>();
  const [shown, setShown] = useState(PAGE_SIZE);
  const kind = KINDS.find(({ value }) => value === get('kind'))?.value ?? '';
  const isWanted = (event: RecentEvent) =>
    (event.workspace_id === null || event.workspace_id === workspace.id) &&
    (kind === '' || kindOf(event) === kind);
  const groups = grouped((paused ?? all).filter(isWanted));
  const waiting = paused
    ? all.filter((event) => event.key > (paused[0]?.key ?? 0) && isWanted(event)).length
    : 0;
  return (
    <Page
      title="Activity"
      about="Changes in this workspace, as they happen."
      actions={
        <div className="filters">
          <Select
            label="Kind"
            all="All kinds"
            value={kind}
            options={KINDS}
            onChange={(next) => set({ kind: next })}
          />
          <button
            type="button"
            className="button small"
            aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused ? undefined : all)}
          >
            <Icon name={paused ? 'play' : 'pause'} />
            {paused ? `Go on${waiting > 0 ? ` (${count(waiting)} new)` : ''}` : 'Pause'}
          </button>
        </div>
      }
    >
      <div className="columns activity">
        <section className="card" aria-label="Live events">
          <h2>
            <span className={`dot ${paused ? 'idle' : live}`} /> {paused ? 'Paused' : STATES[live]}
          </h2>
          {groups.length === 0 ? (
            <Empty title="Nothing has happened since you opened this tab">
              <p>Ingest a folder or let a client store something: it appears here at once.</p>
            </Empty>
          ) : (
            <ol className="rows events">
              {groups.slice(0, shown).map((event) => (
                <EventRow key={event.first} event={event} />
              ))}
            </ol>
          )}
          {groups.length > shown && (
            <div className="card-foot">
              <button type="button" className="button small" onClick={() => setShown(shown + PAGE_SIZE)}>
                Show more
              </button>
            </div>
          )}
        </section>
        <div className="stack">
          <AuditLog />
          <MemoryTimeline />
        </div>
      </div>
    </Page>
  );
}

/** Groups that are like each other and follow each other, since what was between them is filtered out, are one row. */
function grouped(events: readonly RecentEvent[]): readonly RecentEvent[] {
  const groups: RecentEvent[] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last && isLike(last, event))
      groups.splice(-1, 1, { ...last, first: event.first, others: last.others + 1 + event.others });
    else groups.push(event);
  }
  return groups;
}
