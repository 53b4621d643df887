import { useId } from 'react';
import { sentence } from '../ui/format.js';
import { Icon } from '../ui/icon.js';
import { POINTER } from './check-form.js';
import { Control } from './controls.js';
import { branchOf, fieldsOf, type Field } from './fields.js';
import { hasIssueAt, type Value, type Values } from './values.js';

interface Shared {
  /** JSON Pointer of the object that the fields belong to. */
  readonly pointer?: string;
  /** What is wrong, by JSON Pointer. */
  readonly issues: ReadonlyMap<string, string>;
}

/** The fields of an object; those of an object inside are a group. */
export function FormFields({
  fields,
  values,
  onChange,
  pointer = '',
  issues,
}: Shared & {
  readonly fields: readonly Field[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}) {
  return fields.map((field) => (
    <OneField
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      siblings={values}
      onChange={(value) => onChange({ ...values, [field.name]: value })}
      pointer={`${pointer}/${field.name}`}
      issues={issues}
    />
  ));
}

function OneField({
  field,
  value,
  siblings,
  onChange,
  pointer = '',
  issues,
}: Shared & {
  readonly field: Field;
  readonly value: Value;
  readonly siblings: Values;
  readonly onChange: (value: Value) => void;
}) {
  const id = useId();
  const { kind, label, required, schema, hint } = field;
  const message = messageAt(issues, pointer, kind);
  const described = [
    ...(hint === '' ? [] : [`${id}-hint`]),
    ...(message === undefined ? [] : [`${id}-problem`]),
  ].join(' ');
  const name = (
    <>
      {label} {required && <Required />}
    </>
  );
  const group = {
    ...(described !== '' && { 'aria-describedby': described }),
    ...(message !== undefined && { 'data-invalid': true }),
  };
  if (kind === 'group' || kind === 'objects')
    return (
      <fieldset className="field-group" {...group}>
        <legend>{name}</legend>
        {hint !== '' && <Hint id={`${id}-hint`} text={hint} />}
        {message !== undefined && <Problem id={`${id}-problem`} message={message} />}
        {kind === 'group' ? (
          <FormFields
            fields={fieldsOf(schema)}
            values={typeof value === 'string' ? {} : (value as Values)} // a group holds values
            onChange={onChange}
            pointer={pointer}
            issues={issues}
          />
        ) : (
          <Objects field={field} value={value} onChange={onChange} pointer={pointer} issues={issues} />
        )}
      </fieldset>
    );
  const inside = (
    <>
      <Control
        field={field}
        value={typeof value === 'string' ? value : ''}
        siblings={siblings}
        onChange={onChange}
        attributes={{
          id,
          'aria-required': required,
          'aria-invalid': message !== undefined,
          [POINTER]: pointer,
          ...(described !== '' && { 'aria-describedby': described }),
        }}
      />
      {hint !== '' && <Hint id={`${id}-hint`} text={hint} />}
      {message !== undefined && <Problem id={`${id}-problem`} message={message} />}
    </>
  );
  if (kind === 'list' && field.options.length > 0)
    return (
      <fieldset className="field" {...group}>
        <legend>{name}</legend>
        {inside}
      </fieldset>
    );
  return (
    <div className="field">
      <label htmlFor={id}>{name}</label>
      {inside}
    </div>
  );
}

function Objects({
  field: { label, schema },
  value,
  onChange,
  pointer = '',
  issues,
}: Shared & {
  readonly field: Field;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  const all = Array.isArray(value) ? (value as readonly Values[]) : [];
  const fields = fieldsOf(branchOf(schema.items ?? {}));
  return (
    <>
      {all.map((each, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an entry has no name but its place
        <div key={index} className="field-group entry" role="group" aria-label={`${label}, ${index + 1}`}>
          <FormFields
            fields={fields}
            values={each}
            onChange={(next) => onChange(all.with(index, next))}
            pointer={`${pointer}/${index}`}
            issues={issues}
          />
          <button type="button" className="button small" onClick={() => onChange(all.toSpliced(index, 1))}>
            <Icon name="close" /> Remove
          </button>
        </div>
      ))}
      <div>
        <button type="button" className="button small" onClick={() => onChange([...all, {}])}>
          Add
        </button>
      </div>
    </>
  );
}

/** An item of a list has no control of its own: what is wrong with it is said at the list. */
function messageAt(
  issues: ReadonlyMap<string, string>,
  place: string,
  kind: Field['kind'],
): string | undefined {
  const own = issues.get(place);
  if (own !== undefined || kind === 'group' || kind === 'objects' || !hasIssueAt(issues, place)) return own;
  const [at = '', message] = [...issues].find(([each]) => each.startsWith(`${place}/`)) ?? [];
  const name = at.slice(place.length + 1);
  return /^\d+$/.test(name) ? `line ${Number(name) + 1} ${message}` : `${name} ${message}`;
}

function Required() {
  return <span className="required">required</span>;
}

function Hint({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <p className="hint" id={id}>
      {text}
    </p>
  );
}

function Problem({ id, message }: { readonly id: string; readonly message: string }) {
  return (
    <p className="problem" id={id}>
      <Icon name="alert" /> {sentence(message)}
    </p>
  );
}
