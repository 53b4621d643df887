import { useState, type FormEvent } from 'react';
import type { Field } from '../../form/fields.js';
import { FormFields } from '../../form/form-fields.js';
import { textOf } from '../../ui/format.js';
import type { Values } from '../../form/values.js';

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The arguments of a list that narrow it. Chosen values are in the address. */
export function Filter({
  fields,
  chosen,
  onChoose,
}: {
  readonly fields: readonly Field[];
  readonly chosen: Readonly<Record<string, string>>;
  readonly onChoose: (values: Readonly<Record<string, string>>) => void;
}) {
  const [values, setValues] = useState<Values>(chosen);
  const apply = (next: Values) => {
    setValues(next);
    onChoose(Object.fromEntries(fields.map(({ name }) => [name, textOf(next[name])])));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    apply(values);
  };
  const count = Object.values(chosen).filter((value) => value !== '').length;
  const form = (
    <form className="view-filter" onSubmit={onSubmit} noValidate>
      <FormFields fields={fields} values={values} onChange={setValues} issues={NOTHING} />
      <div className="filter-buttons">
        <button type="submit" className="button">
          Apply
        </button>
        {count > 0 && (
          <button type="button" className="button quiet" onClick={() => apply({})}>
            Clear
          </button>
        )}
      </div>
    </form>
  );
  if (fields.length === 1) return form;
  return (
    <details className="card view-filters" open={count > 0}>
      <summary>Filter{count > 0 && <span className="badge accent">{count}</span>}</summary>
      {form}
    </details>
  );
}
