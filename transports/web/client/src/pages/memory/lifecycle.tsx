import type { FormEvent } from 'react';
import { useAction } from '../../api/use-tool.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { Field } from '../../ui/field.js';
import { Failed } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import type { KnowledgeNode, Status } from './kinds.js';
import { useNote } from './notice.js';
import { StepButtons } from './step-buttons.js';
import { storedNote } from './stored-note.js';
import { Supersede } from './supersede.js';
import { UnsavedNote } from './unsaved-note.js';
import { useUnsaved } from './use-unsaved.js';

type SetTo = Exclude<Status, 'superseded'>;
type Step = SetTo | 'supersede';

const STEPS = {
  verified: {
    label: 'Verify',
    about: 'Somebody has checked that it is true.',
    done: 'It is verified.',
  },
  disputed: {
    label: 'Dispute',
    about: 'It may be wrong: every reader sees this.',
    done: 'It is disputed: every reader sees this.',
  },
  active: {
    label: 'Make active again',
    about: 'It holds, and is neither verified nor disputed.',
    done: 'It is active again.',
  },
  supersede: {
    label: 'Supersede…',
    about: 'Something else holds now. The old text stays readable as it was.',
  },
} satisfies Readonly<Record<Step, object>>;
const NEXT: Readonly<Record<Status, readonly Step[]>> = {
  active: ['verified', 'disputed', 'supersede'],
  verified: ['disputed', 'active', 'supersede'],
  disputed: ['verified', 'active', 'supersede'],
  superseded: [],
};

const isStep = (name: string): name is Step => Object.hasOwn(STEPS, name);

/** What can become of knowledge: it is verified, disputed or superseded, each with a reason. */
export function Lifecycle({ node }: { readonly node: KnowledgeNode }) {
  const [get, set] = useAddress();
  const may = useMayWrite();
  const form = get('form');
  const mayTake = (each: Step) =>
    may(each === 'supersede' ? 'memory_supersede_node' : 'memory_set_node_status');
  // The form stays while others change the status: what is typed in it is not lost.
  const step = isStep(form) && mayTake(form) ? form : undefined;
  const steps = NEXT[node.status].filter(mayTake);
  const close = () => set({ form: '', successor: '' });
  return (
    <>
      {steps.length > 0 && (
        <div className="record-actions" role="group" aria-label="How it stands">
          {steps.map((each) => (
            <button
              key={each}
              type="button"
              className="button small"
              title={STEPS[each].about}
              aria-expanded={each === step}
              onClick={() => set({ form: each === step ? '' : each, successor: '' })}
            >
              {STEPS[each].label}
            </button>
          ))}
        </div>
      )}
      {step === 'supersede' && <Supersede node={node} about={STEPS.supersede.about} onDone={close} />}
      {step !== undefined && step !== 'supersede' && (
        <SetStatus key={step} node={node} status={step} onDone={close} />
      )}
    </>
  );
}

function SetStatus({
  node,
  status,
  onDone,
}: {
  readonly node: KnowledgeNode;
  readonly status: SetTo;
  readonly onDone: () => void;
}) {
  const unsaved = useUnsaved(`${status}:${node.id}`, () => ({ reason: '' }));
  const { reason } = unsaved.value;
  const change = useAction('memory_set_node_status');
  const note = useNote();
  const done = () => {
    unsaved.forget();
    onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.run(
      { node_id: node.id, status, ...(reason.trim() !== '' && { reason: reason.trim() }) },
      (stored, isShown) => {
        note(storedNote(STEPS[status].done, stored));
        unsaved.forget();
        if (isShown) onDone();
      },
    );
  };
  return (
    <form className="record-form step" onSubmit={submit}>
      {unsaved.isOld && <UnsavedNote onRestart={unsaved.restart} />}
      <p className="muted">{STEPS[status].about}</p>
      <Field label="Reason" hint="Optional; its versions keep it" error={change.error?.issues.get('/reason')}>
        {(state) => (
          <input
            {...state}
            autoFocus
            maxLength={2000}
            value={reason}
            onChange={({ target: { value } }) => unsaved.change(() => ({ reason: value }))}
          />
        )}
      </Field>
      {change.error && <Failed error={change.error} ofForm />}
      <StepButtons label={STEPS[status].label} disabled={change.isPending} onCancel={done} />
    </form>
  );
}
