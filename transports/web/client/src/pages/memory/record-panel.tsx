import { useIsMutating } from '@tanstack/react-query';
import type { Input } from '../../api/call.js';
import { useAction } from '../../api/use-tool.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { words } from '../../ui/format.js';
import { focusOpened } from '../../ui/panel-focus.js';
import { Icon } from '../../ui/icon.js';
import { MarkedText } from '../../ui/marked-text.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { useEscape } from '../../ui/use-escape.js';
import { ImportanceBadge, StatusBadge } from './badges.js';
import { CodeRefs } from './code-refs.js';
import { EditRecord } from './edit-record.js';
import { Facts } from './facts.js';
import { KIND_NAMES, typeOf, type Kind, type MemoryRecord } from './kinds.js';
import { Lifecycle } from './lifecycle.js';
import { NodeLink } from './node-link.js';
import { useNote } from './notice.js';
import { useOpenRecord } from './open-record.js';
import { RecordOf } from './record-of.js';
import { Related } from './related.js';
import { Versions } from './versions.js';

/** A record beside the list. Esc closes it. */
export function RecordPanel({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { close } = useOpenRecord();
  const [get, set] = useAddress();
  const note = useNote();
  const remove = useAction('memory_delete_many');
  const isDeleted =
    useIsMutating({
      mutationKey: ['memory_delete_many'],
      predicate: ({ state }) => (state.variables as Input<'memory_delete_many'>).ids.includes(id), // of this tool
    }) > 0;
  const isEdited = get('form') === 'edit';
  useEscape(close);
  const onDelete = ({ workspace_id, title }: MemoryRecord) => {
    focusOpened(); // its row, whose neighbour gets it when the row goes
    remove.run({ workspace_id, ids: [id] }, ({ change_id }, isShown) => {
      note({ text: `Deleted “${title}”.`, changeId: change_id });
      if (isShown) close();
    });
  };
  return (
    <aside tabIndex={-1} className="card file-panel record-panel" aria-label="Record">
      <header className="card-head">
        <span className="grow strong">{KIND_NAMES[kind]}</span>
        <button
          type="button"
          className="button quiet small icon-only"
          aria-label="Close the record"
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </header>
      {remove.error && <Failed error={remove.error} ofForm />}
      {isDeleted ? (
        <Skeleton /> // the record must not be read again: it goes
      ) : (
        <RecordOf kind={kind} id={id}>
          {(record) =>
            isEdited ? (
              <EditRecord record={record} onDone={() => set({ form: '' })} />
            ) : (
              <RecordView
                record={record}
                onEdit={() => set({ form: 'edit' })}
                onDelete={() => onDelete(record)}
              />
            )
          }
        </RecordOf>
      )}
    </aside>
  );
}

function RecordView({
  record,
  onEdit,
  onDelete,
}: {
  readonly record: MemoryRecord;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) {
  const { title, content, code_refs, project_id, indexing_status, indexing_error, metadata } = record;
  const canWrite = useMayWrite()('memory_delete_many');
  return (
    <article className="record">
      <div className="record-badges">
        <span className="badge">{words(typeOf(record))}</span>
        {record.kind === 'node' && <StatusBadge status={record.status} />}
        {record.kind === 'event' && record.importance !== 'medium' && (
          <ImportanceBadge importance={record.importance} />
        )}
        {indexing_status === 'pending' && <span className="badge busy">Waiting to be indexed</span>}
      </div>
      <h2>{title}</h2>
      {record.kind === 'node' && record.superseded_by !== null && (
        <p className="notice">
          <span>
            Something else holds now: <NodeLink id={record.superseded_by} label="what holds now" />
          </span>
        </p>
      )}
      {indexing_status === 'failed' && (
        <p className="notice bad">Search does not find it: {indexing_error ?? 'it could not be indexed'}</p>
      )}
      {content !== title && <MarkedText text={content} />}
      <Tags record={record} />
      {record.kind === 'node' && <Lifecycle node={record} />}
      {canWrite && (
        <div className="record-actions">
          <button type="button" className="button small" onClick={onEdit}>
            Edit
          </button>
          <button type="button" className="button small danger" onClick={onDelete}>
            Delete
          </button>
        </div>
      )}
      <Facts record={record} />
      <CodeRefs refs={code_refs} projectId={project_id} />
      {Object.keys(metadata).length > 0 && (
        <details>
          <summary>Other fields</summary>
          <pre tabIndex={0}>{JSON.stringify(metadata, null, 2)}</pre>
        </details>
      )}
      {record.kind === 'node' && (
        <>
          <Related node={record} />
          <Versions nodeId={record.id} />
        </>
      )}
    </article>
  );
}

function Tags({ record: { kind, tags } }: { readonly record: MemoryRecord }) {
  const [, set] = useAddress();
  if (tags.length === 0) return null;
  return (
    <ul className="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <button
            type="button"
            className="tag"
            title="Show all with this tag"
            onClick={() => set({ tab: '', q: '', kind, tag, type: '', page: '' })}
          >
            {tag}
          </button>
        </li>
      ))}
    </ul>
  );
}
