import type { FormEvent } from 'react';
import { useAction } from '../../api/use-tool.js';
import { useProjects } from '../../shell/use-projects.js';
import { useWorkspace } from '../../shell/workspace.js';
import { Field } from '../../ui/field.js';
import { Icon } from '../../ui/icon.js';
import { Failed } from '../../ui/states.js';
import { useEscape } from '../../ui/use-escape.js';
import { eventArguments, NEW_DRAFT, nodeArguments, type Draft } from './draft.js';
import { EVENT_TYPES, NODE_TYPES, nodeType, type Kind } from './kinds.js';
import { useNote } from './notice.js';
import { useOpenRecord } from './open-record.js';
import { RecordFields } from './record-fields.js';
import { storedNote } from './stored-note.js';
import { UnsavedNote } from './unsaved-note.js';
import { useUnsaved } from './use-unsaved.js';

const KINDS: readonly { readonly id: Kind; readonly label: string; readonly about: string }[] = [
  {
    id: 'event',
    label: 'It happened',
    about: 'An event: a note, a bug, a conversation. It stays as it was.',
  },
  {
    id: 'node',
    label: 'It holds',
    about: 'Knowledge: a fact, a decision, a rule. It can be superseded later.',
  },
];

interface Typed {
  readonly kind: Kind;
  readonly draft: Draft;
  /** Empty: of no project. */
  readonly project: string;
}

/** Stores something new, beside the list. `type` is the type of knowledge to begin with. */
export function Remember({ type }: { readonly type?: string }) {
  const { workspace } = useWorkspace();
  const unsaved = useUnsaved<Typed>(`new:${workspace.id}`, () => ({
    kind: type === undefined ? 'event' : 'node',
    draft: { ...NEW_DRAFT, type: type ?? EVENT_TYPES[0] ?? '' },
    project: '',
  }));
  const { kind, draft, project } = unsaved.value;
  const { items: projects } = useProjects();
  const { open, close } = useOpenRecord();
  const note = useNote();
  const [createEvent, createNode] = [useAction('memory_create_event'), useAction('memory_create_node')];
  const { error, isPending } = kind === 'event' ? createEvent : createNode;
  useEscape(close);
  const choose = (next: Kind) => {
    const types = next === 'event' ? EVENT_TYPES : NODE_TYPES;
    const first = types.includes(draft.type) ? draft.type : (types[0] ?? '');
    unsaved.change((before) => ({ ...before, kind: next, draft: { ...before.draft, type: first } }));
  };
  const cancel = () => {
    unsaved.forget();
    close();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { title, content } = draft;
    const where = {
      workspace_id: workspace.id,
      title,
      content,
      ...(project !== '' && { project_id: project }),
    };
    const onStored = (
      stored: Parameters<typeof storedNote>[1] & { readonly id: string },
      isShown: boolean,
    ) => {
      note(storedNote('Remembered.', stored));
      unsaved.forget();
      if (isShown) open(kind, stored.id);
    };
    if (kind === 'event')
      createEvent.run({ ...eventArguments(draft), ...where, event_type: draft.type }, onStored);
    else
      createNode.run(
        { ...nodeArguments(draft), ...where, node_type: nodeType(draft.type) ?? 'fact' },
        onStored,
      );
  };
  return (
    <aside tabIndex={-1} className="card file-panel record-panel" aria-label="Remember something">
      <header className="card-head">
        <h2 className="grow">Remember something</h2>
        <button
          type="button"
          className="button quiet small icon-only"
          aria-label="Close the form"
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </header>
      <form className="record record-form" onSubmit={submit}>
        {unsaved.isOld && <UnsavedNote onRestart={unsaved.restart} />}
        <div>
          <div className="segments" role="group" aria-label="Kind of memory">
            {KINDS.map(({ id, label }) => (
              <button key={id} type="button" aria-pressed={id === kind} onClick={() => choose(id)}>
                {label}
              </button>
            ))}
          </div>
          <p className="field-note muted">{KINDS.find(({ id }) => id === kind)?.about}</p>
        </div>
        <RecordFields
          kind={kind}
          draft={draft}
          error={error}
          onChange={(changed) =>
            unsaved.change((before) => ({ ...before, draft: { ...before.draft, ...changed } }))
          }
        />
        {projects.length > 0 && (
          <Field label="Project" error={error?.issues.get('/project_id')}>
            {(state) => (
              <select
                {...state}
                value={project}
                onChange={({ target: { value } }) =>
                  unsaved.change((before) => ({ ...before, project: value }))
                }
              >
                <option value="">No project: the whole workspace</option>
                {projects.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {error && <Failed error={error} ofForm />}
        <div className="dialog-foot">
          <button type="button" className="button" onClick={cancel}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={isPending}>
            {isPending ? 'Storing…' : 'Remember'}
          </button>
        </div>
      </form>
    </aside>
  );
}
