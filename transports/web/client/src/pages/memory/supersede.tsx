import { useState, type FormEvent } from 'react';
import { useAction } from '../../api/use-tool.js';
import { Field } from '../../ui/field.js';
import { Failed } from '../../ui/states.js';
import type { KnowledgeNode } from './kinds.js';
import { NodeField, type FoundNode } from './node-field.js';
import { useNote } from './notice.js';
import { useOpenRecord } from './open-record.js';
import { StepButtons } from './step-buttons.js';
import { storedNote } from './stored-note.js';

const WAYS = [
  { id: 'new', label: 'Write it' },
  { id: 'existing', label: 'It is there already' },
] as const;
type Way = (typeof WAYS)[number]['id'];

/** Puts other knowledge in the place of a node: new, or what is stored already. */
export function Supersede({
  node,
  about,
  onDone,
}: {
  readonly node: KnowledgeNode;
  readonly about: string;
  readonly onDone: () => void;
}) {
  const [way, setWay] = useState<Way>('new');
  const [draft, setDraft] = useState({ title: node.title, content: '', since: '', reason: '' });
  const [successor, setSuccessor] = useState<FoundNode>();
  const supersede = useAction('memory_supersede_node');
  const note = useNote();
  const { open } = useOpenRecord();
  const { title, content, since, reason } = draft;
  const isMissing = way === 'existing' && successor === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMissing) return;
    supersede.mutate(
      {
        node_id: node.id,
        ...(way === 'existing'
          ? { superseded_by: successor?.id }
          : { title, content, ...(since !== '' && { valid_from: since }) }),
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      },
      {
        onSuccess: (pair) => {
          note(storedNote(`“${node.title}” is superseded. This is what holds now.`, pair));
          onDone();
          open('node', pair.new.id);
        },
      },
    );
  };
  const issue = (field: string) => supersede.error?.issues.get(`/${field}`);
  return (
    <form className="record-form step" onSubmit={submit}>
      <p className="muted">{about}</p>
      <div className="segments" role="group" aria-label="What takes its place">
        {WAYS.map(({ id, label }) => (
          <button key={id} type="button" aria-pressed={id === way} onClick={() => setWay(id)}>
            {label}
          </button>
        ))}
      </div>
      {way === 'existing' &&
        (successor ? (
          <p className="finding-line">
            <span className="grow">
              <span className="muted">What holds now:</span> <b>{successor.title}</b>
            </span>
            <button type="button" className="button small" onClick={() => setSuccessor(undefined)}>
              Choose another
            </button>
          </p>
        ) : (
          <NodeField label="Which knowledge holds now" except={node.id} onChoose={setSuccessor} />
        ))}
      {way === 'new' && (
        <>
          <Field label="What holds now" error={issue('title')}>
            {(state) => (
              <input
                {...state}
                autoFocus
                required
                maxLength={300}
                value={title}
                onChange={({ target }) => setDraft({ ...draft, title: target.value })}
              />
            )}
          </Field>
          <Field label="The whole of it" error={issue('content')}>
            {(state) => (
              <textarea
                {...state}
                required
                rows={4}
                value={content}
                onChange={({ target }) => setDraft({ ...draft, content: target.value })}
              />
            )}
          </Field>
          <Field label="Since when" hint="Optional; a day, else from now on" error={issue('valid_from')}>
            {(state) => (
              <input
                {...state}
                type="date"
                value={since}
                onChange={({ target }) => setDraft({ ...draft, since: target.value })}
              />
            )}
          </Field>
        </>
      )}
      <Field label="Why it changed" hint="Optional; the old version keeps it" error={issue('reason')}>
        {(state) => (
          <input
            {...state}
            maxLength={2000}
            value={reason}
            onChange={({ target }) => setDraft({ ...draft, reason: target.value })}
          />
        )}
      </Field>
      {supersede.error && <Failed error={supersede.error} />}
      <StepButtons label="Supersede" disabled={supersede.isPending || isMissing} onCancel={onDone} />
    </form>
  );
}
