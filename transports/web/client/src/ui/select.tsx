/** A labelled choice; the empty value stands for all. */
export function Select({
  label,
  all,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  /** The text for all; without it there is always one chosen. */
  readonly all?: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <select
      className={value === '' || all === undefined ? 'control' : 'control chosen'}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
