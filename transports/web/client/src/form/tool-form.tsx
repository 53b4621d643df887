import { useRef, useState, type FormEvent } from 'react';
import type { DescribedTool } from '../api/tool-table.js';
import { useDescribedAction } from '../api/use-described.js';
import { keepLateFailure } from '../shell/late-results.js';
import { Failed } from '../ui/states.js';
import { issuesOf, useInvalidFocus } from './check-form.js';
import { fieldsOf } from './fields.js';
import { FormFields } from './form-fields.js';
import { hasIssueAt, toArguments, toValues } from './values.js';

type Input = Readonly<Record<string, unknown>>;
const NOTHING: ReadonlyMap<string, string> = new Map();
const NO_INPUT: Input = {};

/** A form for the arguments of a tool. It keeps what was typed where the call fails. */
export function ToolForm({
  tool,
  label,
  supplied,
  initial = NO_INPUT,
  suggested = NO_INPUT,
  onDone,
  onClose,
}: {
  readonly tool: DescribedTool;
  /** Of the button that sends it. */
  readonly label: string;
  /** Arguments that the form does not ask for. */
  readonly supplied: Input;
  /** What the fields hold at first. Of these only what was changed is sent; what was emptied, as an empty text. */
  readonly initial?: Input;
  /** What fields hold at first and is sent, unless it was changed. */
  readonly suggested?: Input;
  /** Called also where the form is gone by then: what a tool makes may be shown once. */
  readonly onDone: (result: unknown) => void;
  /** It is given up, or done. */
  readonly onClose: () => void;
}) {
  const declared = fieldsOf(tool.input, new Set(Object.keys(supplied)));
  const [first] = useState(() => toValues(declared, initial));
  const fields = declared.map((field) => (first[field.name] ? { ...field, isSet: true as const } : field));
  const [values, setValues] = useState(() => ({ ...first, ...toValues(fields, suggested) }));
  const [missing, setMissing] = useState(NOTHING);
  const action = useDescribedAction(tool);
  const form = useRef<HTMLFormElement>(null);
  const issues = missing.size > 0 ? missing : (action.error?.issues ?? NOTHING);
  useInvalidFocus(form, issues);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const made = toArguments(fields, values);
    const found = issuesOf(form.current, made);
    setMissing(found);
    if (found.size > 0) return;
    const changed = fields.filter(
      ({ name, required }) =>
        required || JSON.stringify(values[name] ?? '') !== JSON.stringify(first[name] ?? ''),
    );
    const input = Object.fromEntries(
      changed.flatMap(({ name, kind }) => {
        const value = made.input[name] ?? (first[name] === undefined ? undefined : kind === 'list' ? [] : '');
        return value === undefined ? [] : [[name, value]];
      }),
    );
    action.run(
      { ...input, ...supplied },
      ({ result }, isShown) => {
        if (isShown) onClose();
        onDone(result);
      },
      (error, isShown) => {
        if (!isShown) keepLateFailure(tool.title, error);
      },
    );
  };
  // Issues of arguments without a field stand above the buttons.
  const unplaced = [...issues.keys()].some(
    (place) => !fields.some(({ name }) => hasIssueAt(new Map([[place, '']]), `/${name}`)),
  );
  return (
    <form ref={form} className="form" onSubmit={submit} noValidate>
      <FormFields fields={fields} values={values} onChange={setValues} issues={issues} />
      {action.error && (issues.size === 0 || unplaced) && <Failed error={action.error} />}
      <div className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="submit"
          className={tool.effect === 'delete' ? 'button danger' : 'button primary'}
          disabled={action.isPending}
        >
          {label}
        </button>
      </div>
    </form>
  );
}
