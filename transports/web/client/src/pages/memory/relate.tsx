import { useState, type FormEvent } from 'react';
import { useAction } from '../../api/use-tool.js';
import type { Input } from '../../api/call.js';
import { Field } from '../../ui/field.js';
import { words } from '../../ui/format.js';
import { Failed } from '../../ui/states.js';
import type { KnowledgeNode } from './kinds.js';
import { NodeField, type FoundNode } from './node-field.js';
import { useNote } from './notice.js';
import { StepButtons } from './step-buttons.js';

type RelationType = Input<'graph_link_knowledge'>['relation_type'];
/** Without `supersedes`: a step of its own, which changes what holds. */
const RELATIONS: readonly RelationType[] = [
  'related_to',
  'depends_on',
  'influences',
  'implements',
  'contradicts',
];

/** States how a node is related to another that is there. */
export function Relate({ node, onDone }: { readonly node: KnowledgeNode; readonly onDone: () => void }) {
  const [relation, setRelation] = useState<RelationType>('related_to');
  const [other, setOther] = useState<FoundNode>();
  const [context, setContext] = useState('');
  const link = useAction('graph_link_knowledge');
  const note = useNote();
  const issue = (field: string) => link.error?.issues.get(`/${field}`);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!other) return;
    const ends = { workspace_id: node.workspace_id, source_node_id: node.id, target_node_id: other.id };
    link.mutate(
      { ...ends, relation_type: relation, ...(context.trim() !== '' && { context: context.trim() }) },
      {
        onSuccess: () => {
          note({ text: `“${node.title}” and “${other.title}” are related now.` });
          onDone();
        },
      },
    );
  };
  return (
    <form className="record-form step" onSubmit={submit}>
      <Field label="How it is related" error={issue('relation_type')}>
        {(state) => (
          <select
            {...state}
            value={relation}
            onChange={({ target }) => setRelation(target.value as RelationType)} // one of the options
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
          <button type="button" className="button small" onClick={() => setOther(undefined)}>
            Choose another
          </button>
        </p>
      ) : (
        <NodeField label="Which knowledge" except={node.id} onChoose={setOther} />
      )}
      <Field label="Why" hint="Optional; kept with the relation" error={issue('context')}>
        {(state) => (
          <input
            {...state}
            maxLength={2000}
            value={context}
            onChange={({ target }) => setContext(target.value)}
          />
        )}
      </Field>
      {link.error && <Failed error={link.error} />}
      <StepButtons label="Relate" disabled={link.isPending || !other} onCancel={onDone} />
    </form>
  );
}
