import type { FormEvent } from 'react';
import { useAction, useTool } from '../../api/use-tool.js';
import { Field } from '../../ui/field.js';
import { Failed } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import type { KnowledgeNode } from './kinds.js';
import { NodeField, type FoundNode } from './node-field.js';
import { useNote } from './notice.js';
import { useOpenRecord } from './open-record.js';
import { StepButtons } from './step-buttons.js';
import { storedNote } from './stored-note.js';
import { UnsavedNote } from './unsaved-note.js';
import { useUnsaved } from './use-unsaved.js';

const WAYS = [
  { id: 'new', label: 'Write it' },
  { id: 'existing', label: 'It is there already' },
] as const;
type Way = (typeof WAYS)[number]['id'];

interface Typed {
  readonly way: Way;
  readonly title: string;
  readonly content: string;
  readonly since: string;
  readonly reason: string;
  readonly chosen?: Pick<FoundNode, 'id' | 'title' | 'content'> | undefined;
}

/** Puts other knowledge in the place of a node: new, or what is stored already, which the address may name (`successor`). */
export function Supersede({
  node,
  about,
  onDone,
}: {
  readonly node: KnowledgeNode;
  readonly about: string;
  readonly onDone: () => void;
}) {
  const [get, set] = useAddress();
  const named = get('successor');
  const { data: proposed } = useTool('memory_get_node', { node_id: named }, { enabled: named !== '' });
  const unsaved = useUnsaved<Typed>(`supersede:${node.id}`, () => ({
    way: named === '' ? 'new' : 'existing',
    title: node.title,
    content: '',
    since: '',
    reason: '',
  }));
  const change = (changed: Partial<Typed>) => unsaved.change((before) => ({ ...before, ...changed }));
  const choose = (changed: Pick<Typed, 'way' | 'chosen'>) => {
    change(changed);
    set({ successor: '' });
  };
  const supersede = useAction('memory_supersede_node');
  const note = useNote();
  const { open } = useOpenRecord();
  const { title, content, since, reason, chosen } = unsaved.value;
  // What the address names was chosen last, whatever was typed before.
  const [way, successor] = named === '' ? [unsaved.value.way, chosen] : ['existing', proposed];
  const isMissing = way === 'existing' && successor === undefined;
  const done = () => {
    unsaved.forget();
    onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMissing) return;
    supersede.run(
      {
        node_id: node.id,
        ...(way === 'existing'
          ? { superseded_by: successor?.id }
          : { title, content, ...(since !== '' && { valid_from: since }) }),
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      },
      (pair, isShown) => {
        const says = isShown ? ' This is what holds now.' : '';
        note(storedNote(`“${node.title}” is superseded.${says}`, pair));
        unsaved.forget();
        if (!isShown) return;
        onDone();
        open('node', pair.new.id);
      },
    );
  };
  const issue = (field: string) => supersede.error?.issues.get(`/${field}`);
  return (
    <form className="record-form step" onSubmit={submit}>
      {unsaved.isOld && <UnsavedNote onRestart={unsaved.restart} />}
      <p className="muted">{about}</p>
      <div className="segments" role="group" aria-label="What takes its place">
        {WAYS.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === way}
            onClick={() => choose({ way: id, chosen: successor })}
          >
            {label}
          </button>
        ))}
      </div>
      {way === 'existing' &&
        (successor ? (
          <p className="finding-line">
            <span className="grow">
              <span className="muted">What holds now:</span> <b>{successor.title}</b>
              {successor.content !== successor.title && (
                <span className="muted clamp">{successor.content}</span>
              )}
            </span>
            <button
              type="button"
              className="button small"
              onClick={() => choose({ way: 'existing', chosen: undefined })}
            >
              Choose another
            </button>
          </p>
        ) : (
          <NodeField
            label="Which knowledge holds now"
            except={node.id}
            onChoose={(found) => choose({ way: 'existing', chosen: found })}
          />
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
                onChange={({ target }) => change({ title: target.value })}
              />
            )}
          </Field>
          <Field label="Full text" error={issue('content')}>
            {(state) => (
              <textarea
                {...state}
                required
                rows={4}
                value={content}
                onChange={({ target }) => change({ content: target.value })}
              />
            )}
          </Field>
          <Field label="Since when" hint="Optional; a day, else from now on" error={issue('valid_from')}>
            {(state) => (
              <input
                {...state}
                type="date"
                value={since}
                onChange={({ target }) => change({ since: target.value })}
              />
            )}
          </Field>
        </>
      )}
      <Field label="Why it changed" hint="Optional; the old version keeps it" error={issue('reason')}>
        {(state) => (
          <input
            {...state}
            autoFocus={named !== ''}
            maxLength={2000}
            value={reason}
            onChange={({ target }) => change({ reason: target.value })}
          />
        )}
      </Field>
      {supersede.error && <Failed error={supersede.error} ofForm />}
      <StepButtons label="Supersede" disabled={supersede.isPending || isMissing} onCancel={done} />
    </form>
  );
}
