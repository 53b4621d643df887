import { words } from '../ui/format.js';
import type { POINTER } from './check-form.js';
import type { Field } from './fields.js';
import { IdPicker } from './id-picker.js';
import type { Values } from './values.js';

export interface ControlProps {
  readonly field: Field;
  readonly value: string;
  /** The values of the fields beside it. */
  readonly siblings: Values;
  readonly onChange: (value: string) => void;
  readonly attributes: Attributes;
}

/** What binds a control to its label, its hint and what is wrong with it. */
export interface Attributes {
  readonly id: string;
  readonly 'aria-required': boolean;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby'?: string;
  readonly [POINTER]: string;
}

/** The control of a field whose value is one text, or the lines of a list. */
export function Control(props: ControlProps) {
  const { field, value, onChange, attributes } = props;
  const { kind, schema, options, secret, name } = field;
  const onInput = ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value);
  const placeholder = (schema.default ?? '') === '' ? '' : `Default: ${defaultOf(schema.default)}`;
  const shared = { ...attributes, name, value, onChange: onInput, placeholder };
  switch (kind) {
    case 'id':
      return <IdPicker {...props} />;
    case 'choice':
      return <Choice {...props} placeholder={placeholder} />;
    case 'number':
      return (
        <input
          {...shared}
          type="number"
          inputMode="numeric"
          step={schema.type === 'integer' ? 1 : 'any'}
          min={schema.minimum}
          max={schema.maximum}
        />
      );
    case 'date':
      return <input {...shared} type="datetime-local" />;
    case 'list':
      return options.length > 0 ? (
        <Options {...props} />
      ) : (
        <textarea {...shared} rows={Math.max(2, value.split('\n').length)} placeholder="One on each line" />
      );
    case 'long':
      return <textarea {...shared} rows={4} />;
    case 'json':
      return <textarea {...shared} rows={3} placeholder={'{"key": "value"}'} spellCheck={false} />;
    case 'text':
    case 'group': // groups of fields have no control of their own: form-fields.tsx
    case 'objects':
      return (
        <input
          {...shared}
          type={secret ? 'password' : 'text'}
          autoComplete={secret ? 'new-password' : 'off'}
        />
      );
  }
}

function Choice({
  field: { schema, options, required, name, isSet },
  value,
  onChange,
  attributes,
  placeholder,
}: ControlProps & { readonly placeholder: string }) {
  const label = (option: string) =>
    schema.type === 'boolean' ? (option === 'true' ? 'Yes' : 'No') : words(option);
  return (
    <select {...attributes} name={name} value={value} onChange={({ target }) => onChange(target.value)}>
      {!isSet && <option value="">{placeholder || (required ? 'Choose…' : 'Not set')}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {label(option)}
        </option>
      ))}
    </select>
  );
}

/** A list of known values: one box for each, in the fieldset of the field. */
function Options({ field: { options }, value, onChange }: ControlProps) {
  const chosen = new Set(value.split('\n').filter(Boolean));
  const toggle = (option: string) => {
    const next = options.filter((each) => (each === option) !== chosen.has(each));
    onChange(next.join('\n'));
  };
  return (
    <div className="options">
      {options.map((option) => (
        <label key={option}>
          <input type="checkbox" checked={chosen.has(option)} onChange={() => toggle(option)} />
          {words(option)}
        </label>
      ))}
    </div>
  );
}

function defaultOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
