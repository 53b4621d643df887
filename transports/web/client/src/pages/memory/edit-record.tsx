import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { refresh, useAction } from '../../api/use-tool.js';
import { Failed } from '../../ui/states.js';
import { draftOf, eventArguments, nodeArguments } from './draft.js';
import { FieldChanges } from './field-changes.js';
import type { MemoryRecord } from './kinds.js';
import { useNote } from './notice.js';
import { RecordFields } from './record-fields.js';
import { storedNote } from './stored-note.js';
import { UnsavedNote } from './unsaved-note.js';
import { useUnsaved } from './use-unsaved.js';

/**
 * Changes a record in place: the fields that were touched, and only if nobody changed it meanwhile. Where somebody did,
 * what was typed stays, and what they changed is shown.
 */
export function EditRecord({
  record,
  onDone,
}: {
  readonly record: MemoryRecord;
  readonly onDone: () => void;
}) {
  // `record` follows what others do, `base` does not.
  const unsaved = useUnsaved(`edit:${record.id}`, () => ({ base: record, draft: draftOf(record) }));
  const { base, draft } = unsaved.value;
  const client = useQueryClient();
  const note = useNote();
  const [updateEvent, updateNode] = [useAction('memory_update_event'), useAction('memory_update_node')];
  const save = record.kind === 'event' ? updateEvent : updateNode;
  const isChangedSince = save.error?.isChangedSince === true;
  const done = () => {
    unsaved.forget();
    onDone();
  };
  const restart = () => {
    unsaved.restart();
    save.reset(); // a conflict was with what is given up
  };
  const write = (if_updated_at: string) => {
    const onSaved = (stored: Parameters<typeof storedNote>[1], isShown: boolean) => {
      note(storedNote('Saved.', stored));
      unsaved.forget();
      if (isShown) onDone();
    };
    const onError = () => void refresh(client, ['memory_get_']);
    if (record.kind === 'event')
      updateEvent.run(
        { event_id: record.id, if_updated_at, ...eventArguments(draft, base) },
        onSaved,
        onError,
      );
    else
      updateNode.run({ node_id: record.id, if_updated_at, ...nodeArguments(draft, base) }, onSaved, onError);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write(base.updated_at);
  };
  return (
    <form className="record record-form" onSubmit={submit}>
      {unsaved.isOld && <UnsavedNote onRestart={restart} />}
      <RecordFields
        kind={record.kind}
        draft={draft}
        isStored
        error={save.error}
        onChange={(changed) =>
          unsaved.change((before) => ({ ...before, draft: { ...before.draft, ...changed } }))
        }
      />
      {isChangedSince ? (
        <div className="notice bad block" role="alert">
          <p className="strong">Somebody else changed it while you were writing</p>
          <FieldChanges before={base} after={record} />
          <p>Your text is still here. Save it over their change, or cancel to see theirs.</p>
        </div>
      ) : (
        save.error && <Failed error={save.error} ofForm />
      )}
      <div className="dialog-foot">
        <button type="button" className="button" onClick={done}>
          Cancel
        </button>
        {isChangedSince ? (
          <button
            type="button"
            className="button primary"
            disabled={save.isPending}
            onClick={() => write(record.updated_at)}
          >
            Save mine anyway
          </button>
        ) : (
          <button type="submit" className="button primary" disabled={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save'}
          </button>
        )}
      </div>
    </form>
  );
}
