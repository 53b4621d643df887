import { useRef, type KeyboardEvent } from 'react';
import { words } from '../../ui/format.js';
import { Time } from '../../ui/time.js';
import { useListKeys } from '../../ui/use-list-keys.js';
import { ImportanceBadge, StatusBadge } from './badges.js';
import { useOpenRecord } from './open-record.js';
import type { Row } from './rows.js';
import type { Selection } from './use-selection.js';

/** Records, one a row. `j` and `k` move, Enter opens, and `x` chooses where there is something to choose for. */
export function RecordRows({
  rows,
  selection,
}: {
  readonly rows: readonly Row[];
  readonly selection?: Selection;
}) {
  const list = useRef<HTMLUListElement>(null);
  useListKeys(list, '.record-open');
  const { opened, open } = useOpenRecord();
  const onKeyDown = ({ key, target, ctrlKey, metaKey }: KeyboardEvent<HTMLElement>) => {
    if (key !== 'x' || ctrlKey || metaKey || !(target instanceof Element)) return;
    const id = target.closest('li')?.dataset['id'];
    if (id !== undefined) selection?.toggle(id);
  };
  return (
    <ul className="rows records" ref={list} onKeyDown={onKeyDown}>
      {rows.map(({ kind, id, type, title, summary, at, status, importance }) => (
        <li key={id} data-id={id} className={opened?.id === id ? 'opened' : ''}>
          {selection && (
            <input
              type="checkbox"
              aria-label={`Choose ${title}`}
              checked={selection.ids.has(id)}
              onChange={() => selection.toggle(id)}
            />
          )}
          <button
            type="button"
            className="record-open"
            aria-current={opened?.id === id ? 'true' : undefined}
            onClick={() => open(kind, id)}
          >
            <span className="record-title">
              <b>{title}</b>
              {status !== undefined && status !== 'active' && <StatusBadge status={status} />}
              {(importance === 'high' || importance === 'critical') && (
                <ImportanceBadge importance={importance} />
              )}
            </span>
            <span className="record-summary muted">
              <span className="badge">{words(type)}</span>
              <span className="one-line">{summary}</span>
            </span>
          </button>
          <Time value={at} />
        </li>
      ))}
    </ul>
  );
}
