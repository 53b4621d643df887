import type { FormEvent } from 'react';
import { useAction } from '../../api/use-tool.js';
import type { Input } from '../../api/call.js';
import { Field } from '../../ui/field.js';
import { words } from '../../ui/format.js';
import { Failed } from '../../ui/states.js';
import type { KnowledgeNode } from './kinds.js';
import { NodeField, type FoundNode } from './node-field.js';
import { useNote } from './notice.js';
import { StepButtons } from './step-buttons.js';
import { UnsavedNote } from './unsaved-note.js';
import { useUnsaved } from './use-unsaved.js';

type RelationType = Input<'graph_link_knowledge'>['relation_type'];
/** Without `supersedes`: a step of its own, which changes what holds. */
const RELATIONS: readonly RelationType[] = [
  'related_to',
  'depends_on',
  'influences',
  'implements',
  'contradicts',
];

interface Typed {
  readonly relation: RelationType;
  readonly other?: FoundNode | undefined;
  readonly context: string;
}

/** States how a node is related to another that is there. */
export function Relate({ node, onDone }: { readonly node: KnowledgeNode; readonly onDone: () => void }) {
  const unsaved = useUnsaved<Typed>(`relate:${node.id}`, () => ({ relation: 'related_to', context: '' }));
  const { relation, other, context } = unsaved.value;
  const change = (changed: Partial<Typed>) => unsaved.change((before) => ({ ...before, ...changed }));
  const link = useAction('graph_link_knowledge');
  const note = useNote();
  const issue = (field: string) => link.error?.issues.get(`/${field}`);
  const done = () => {
    unsaved.forget();
    onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!other) return;
    const ends = { workspace_id: node.workspace_id, source_node_id: node.id, target_node_id: other.id };
    link.run(
      { ...ends, relation_type: relation, ...(context.trim() !== '' && { context: context.trim() }) },
      (_, isShown) => {
        note({ text: `“${node.title}” and “${other.title}” are related now.` });
        unsaved.forget();
        if (isShown) onDone();
      },
    );
  };
  return (
    <form className="record-form step" onSubmit={submit}>
      {unsaved.isOld && <UnsavedNote onRestart={unsaved.restart} />}
      <Field label="How it is related" error={issue('relation_type')}>
        {(state) => (
          <select
            {...state}
            value={relation}
            onChange={({ target }) => change({ relation: target.value as RelationType })} // one of the options
          >
            {RELATIONS.map((each) => (
              <option key={each} value={each}>
                {words(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {other ? (
        <p className="finding-line">
          <b className="grow">{other.title}</b>
          <button type="button" className="button small" onClick={() => change({ other: undefined })}>
            Choose another
          </button>
        </p>
      ) : (
        <NodeField
          label="Which knowledge"
          except={node.id}
          onChoose={(chosen) => change({ other: chosen })}
        />
      )}
      <Field label="Why" hint="Optional; kept with the relation" error={issue('context')}>
        {(state) => (
          <input
            {...state}
            maxLength={2000}
            value={context}
            onChange={({ target }) => change({ context: target.value })}
          />
        )}
      </Field>
      {link.error && <Failed error={link.error} ofForm />}
      <StepButtons label="Relate" disabled={link.isPending || !other} onCancel={done} />
    </form>
  );
}
