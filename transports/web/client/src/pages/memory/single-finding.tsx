import { useAction } from '../../api/use-tool.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { useWorkspace } from '../../shell/workspace.js';
import { sentence } from '../../ui/format.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import type { Finding } from './clean-up.js';
import { Gone } from './gone.js';
import type { MemoryRecord } from './kinds.js';
import { useNote } from './notice.js';
import { useOpenRecord } from './open-record.js';
import { RecordOf } from './record-of.js';

/** One record that is junk or may no longer hold. */
export function SingleFinding(finding: Finding) {
  const {
    ids: [id = ''],
    record_kind,
  } = finding;
  const { workspace } = useWorkspace();
  const { open } = useOpenRecord();
  const note = useNote();
  const mayDelete = useMayWrite()('memory_delete_many');
  const remove = useAction('memory_delete_many');
  const onDelete = (title: string) =>
    remove.run({ workspace_id: workspace.id, ids: [id] }, ({ change_id }) =>
      note({ text: `Deleted “${title}”.`, changeId: change_id }),
    );
  if (remove.isPending) return <Skeleton lines={2} />; // the record must not be read again: it goes
  if (remove.error?.status === 404) return <Gone />;
  return (
    <RecordOf kind={record_kind} id={id} gone={<Gone />}>
      {(record) => (
        <article className="finding lead" aria-label={record.title}>
          <div className="finding-line">
            <p className="grow">
              <span className="strong">{record.title}</span>{' '}
              <span className="muted reason">
                <Reason record={record} finding={finding} />
              </span>
            </p>
            <div className="record-actions">
              <button type="button" className="button small" onClick={() => open(record_kind, id)}>
                Open
              </button>
              {mayDelete && (
                <button type="button" className="button small danger" onClick={() => onDelete(record.title)}>
                  Delete
                </button>
              )}
            </div>
          </div>
          {record.content !== record.title && <p className="record-content clamp">{record.content}</p>}
          {remove.error && <Failed error={remove.error} />}
        </article>
      )}
    </RecordOf>
  );
}

function Reason({ record, finding }: { readonly record: MemoryRecord; readonly finding: Finding }) {
  if (finding.kind === 'stale' && record.kind === 'node' && record.valid_to !== null)
    return (
      <>
        It was true until <Time value={record.valid_to} whole />, and nothing has taken its place
      </>
    );
  return sentence(finding.reason);
}
