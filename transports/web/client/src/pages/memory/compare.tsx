import { useState } from 'react';
import { useAction } from '../../api/use-tool.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { usePersonName } from '../../shell/use-person-name.js';
import { useWorkspace } from '../../shell/workspace.js';
import { counted } from '../../ui/format.js';
import { Select } from '../../ui/select.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { diffPieces } from '../../ui/text-diff.js';
import { Time } from '../../ui/time.js';
import type { Finding } from './clean-up.js';
import { changedFields } from './field-changes.js';
import { Gone } from './gone.js';
import type { MemoryRecord } from './kinds.js';
import { useNote } from './notice.js';
import { useOpenRecord } from './open-record.js';
import { RecordOf } from './record-of.js';

/** Fields that are shown in another way than as a difference. */
const SHOWN = new Set(['title', 'content', 'occurred_at', 'valid_from']);

/** Two records side by side, what only one of them says marked. Duplicates are merged into the one that stays. */
export function Compare({ kind, record_kind, ids }: Finding) {
  const [at, setAt] = useState(1);
  const note = useNote();
  const mayMerge = useMayWrite()('memory_merge') && kind === 'duplicate';
  const maySupersede = useMayWrite()('memory_supersede_node') && kind === 'contradiction';
  const merge = useAction('memory_merge');
  const keep = ({ id, title }: MemoryRecord) =>
    merge.run({ ids: [...ids], keep: id }, ({ change_id, merged }) =>
      note({ text: `Merged ${counted(merged.length, 'record')} into “${title}”.`, changeId: change_id }),
    );
  const { workspace } = useWorkspace();
  const mayKeepAll = useMayWrite()('memory_keep_apart') && kind === 'duplicate';
  const keepApart = useAction('memory_keep_apart');
  const keepAll = () =>
    keepApart.run({ workspace_id: workspace.id, ids: [...ids] }, ({ change_id }) =>
      note({ text: 'They stay separate, and are not compared again.', changeId: change_id }),
    );
  if (keepApart.error?.status === 404) return <Gone />;
  if (merge.isPending) return <Skeleton />; // the records must not be read again: some of them go
  if (merge.error?.status === 404) return <Gone />;
  const [first = ''] = ids;
  const second = ids[at] ?? ids[1] ?? first;
  return (
    <>
      {ids.length > 2 && (
        <div className="finding-line compared-with">
          <p className="grow">
            {counted(ids.length, 'record')} {kind === 'duplicate' ? 'say the same' : 'contradict each other'}.
            {mayMerge && ' The one that stays takes the place of all.'}
          </p>
          <Select
            label="The record on the right"
            value={String(at)}
            options={ids.slice(1).map((_, index) => ({
              value: String(index + 1),
              label: `Compare 1 with ${index + 2}`,
            }))}
            onChange={(value) => setAt(Number(value))}
          />
        </div>
      )}
      <RecordOf kind={record_kind} id={first} gone={<Gone />}>
        {(left) => (
          <RecordOf kind={record_kind} id={second} gone={<Gone />}>
            {(right) => (
              <Sides
                left={left}
                right={right}
                maySupersede={maySupersede}
                {...(mayMerge && { onKeep: keep })}
              />
            )}
          </RecordOf>
        )}
      </RecordOf>
      {mayKeepAll && (
        <div className="finding-line keep-all">
          <p className="grow muted">Are they not the same? Keep them: they are not compared again.</p>
          <button type="button" className="button small" disabled={keepApart.isPending} onClick={keepAll}>
            {ids.length === 2 ? 'Keep both' : `Keep all ${ids.length}`}
          </button>
        </div>
      )}
      {merge.error && <Failed error={merge.error} />}
      {keepApart.error && <Failed error={keepApart.error} />}
    </>
  );
}

interface SidesProps {
  readonly left: MemoryRecord;
  readonly right: MemoryRecord;
  /** Whether one of them can be said to hold instead of the other. */
  readonly maySupersede: boolean;
  readonly onKeep?: (record: MemoryRecord) => void;
}

function Sides({ left, right, maySupersede, onKeep }: SidesProps) {
  const { open } = useOpenRecord();
  const nameOf = usePersonName();
  const [titles, contents] = [diffPieces(left.title, right.title), diffPieces(left.content, right.content)];
  const fields = changedFields(left, right).filter(({ name }) => !SHOWN.has(name));
  return (
    <div className="compare">
      {[left, right].map((record, side) => (
        <article
          key={record.id}
          className={side === 0 ? 'finding lead' : 'finding'}
          aria-label={`${side === 0 ? 'On the left' : 'On the right'}: ${record.title}`}
        >
          <p className="strong">
            <OneSide pieces={titles} side={side} />
          </p>
          <p className="muted time wrap">
            Recorded <Time value={record.created_at} /> by {nameOf(record.created_by)}
          </p>
          <p className="record-content compared" tabIndex={0}>
            <OneSide pieces={contents} side={side} />
          </p>
          {fields.length > 0 && (
            <dl className="differences">
              {fields.map(({ name, label, before, after }) => (
                <div key={name}>
                  <dt>{label}</dt>
                  <dd>{(side === 0 ? before : after) || 'none'}</dd>
                </div>
              ))}
            </dl>
          )}
          <div className="record-actions">
            {onKeep && (
              <button type="button" className="button small primary" onClick={() => onKeep(record)}>
                Keep this one
              </button>
            )}
            {maySupersede && (
              <button
                type="button"
                className="button small"
                onClick={() => open('node', side === 0 ? right.id : left.id, 'supersede', record.id)}
              >
                This one holds…
              </button>
            )}
            <button type="button" className="button small" onClick={() => open(record.kind, record.id)}>
              Open
            </button>
          </div>
        </article>
      ))}
    </div>
  );
}

/** The text of one of two sides, what the other lacks marked. */
function OneSide({
  pieces,
  side,
}: {
  readonly pieces: ReturnType<typeof diffPieces>;
  readonly side: number;
}) {
  return pieces
    .filter(({ added, removed }) => (side === 0 ? !added : !removed))
    .map(({ key, value, added, removed }) =>
      added || removed ? <mark key={key}>{value}</mark> : <span key={key}>{value}</span>,
    );
}
