import { useRef, useState, type FormEvent } from 'react';
import type { Field } from '../../form/fields.js';
import { issuesOf, useInvalidFocus } from '../../form/check-form.js';
import { FormFields } from '../../form/form-fields.js';
import { textOf } from '../../ui/format.js';
import { toArguments, toValues, type Values } from '../../form/values.js';

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
  const [values, setValues] = useState(() => toValues(fields, chosen));
  const [followed, setFollowed] = useState(chosen);
  const [issues, setIssues] = useState(NOTHING);
  const box = useRef<HTMLFormElement>(null);
  useInvalidFocus(box, issues);
  if (fields.some(({ name }) => chosen[name] !== followed[name])) {
    setFollowed(chosen); // links and the back button change the address too
    setValues(toValues(fields, chosen));
    setIssues(NOTHING);
  }
  const apply = (next: Values) => {
    setValues(next);
    setIssues(NOTHING);
    const { input } = toArguments(fields, next);
    // A time with its zone: the address is for readers in others too.
    onChoose(
      Object.fromEntries(
        fields.map(({ name, kind }) => [name, textOf((kind === 'date' ? input : next)[name])]),
      ),
    );
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = issuesOf(box.current, toArguments(fields, values));
    if (found.size > 0) setIssues(found);
    else apply(values);
  };
  const count = Object.values(chosen).filter((value) => value !== '').length;
  const isNeeded = fields.some(({ name, required }) => required && chosen[name] === '');
  const form = (
    <form ref={box} className="view-filter" onSubmit={onSubmit} noValidate>
      <FormFields fields={fields} values={values} onChange={setValues} issues={issues} />
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
    <details className="card view-filters" open={count > 0 || isNeeded}>
      <summary>Filter{count > 0 && <span className="badge accent">{count}</span>}</summary>
      {form}
    </details>
  );
}
