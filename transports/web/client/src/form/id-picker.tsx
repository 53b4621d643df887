import { useToolTable, type DescribedTool } from '../api/tool-table.js';
import { useDescribed } from '../api/use-described.js';
import { useWorkspace } from '../shell/workspace.js';
import type { ControlProps } from './controls.js';
import type { Values } from './values.js';

/** A longer list does not fit a choice: the id is typed or pasted then. */
const MAX_OPTIONS = 100;
const NAMES = ['name', 'title', 'qualified_name', 'path', 'email', 'masked_key'] as const;

/** Chooses what an id stands for, from the tool that lists such ids. */
export function IdPicker(props: ControlProps) {
  const { field, siblings } = props;
  const { data: tools } = useToolTable();
  const { workspace } = useWorkspace();
  const lister = tools?.get(field.schema['x-listed-by'] ?? '');
  const input = lister && argumentsOf(lister, siblings, workspace.id);
  return lister && input ? <Chooser {...props} lister={lister} input={input} /> : <Typed {...props} />;
}

function Typed({ field: { name }, value, onChange, attributes }: ControlProps) {
  return (
    <input
      {...attributes}
      name={name}
      className="mono"
      value={value}
      placeholder="Id"
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function Chooser({
  lister,
  input,
  ...props
}: ControlProps & { readonly lister: DescribedTool; readonly input: Readonly<Record<string, unknown>> }) {
  const { field, value, onChange, attributes } = props;
  const { data, error } = useDescribed(lister, input);
  const { items = [], total = 0 } = (data ?? {}) as {
    // every lister answers a page
    items?: readonly Readonly<Record<string, unknown>>[];
    total?: number;
  };
  const options = items.map((row) => ({
    value: String(row[field.name] ?? row['id']),
    label: String(
      NAMES.map((name) => row[name]).find((name) => typeof name === 'string' && name !== '') ?? row['id'],
    ),
  }));
  if (error || total > MAX_OPTIONS || (data && options.length === 0)) return <Typed {...props} />;
  const isKnown = value === '' || options.some((option) => option.value === value);
  return (
    <select {...attributes} name={field.name} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{data ? (field.required ? 'Choose…' : 'Not set') : 'Loading…'}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** The arguments of the lister: from the fields beside, and the workspace that is chosen; undefined where one is missing. */
function argumentsOf(
  { input: { properties = {}, required = [] } }: DescribedTool,
  siblings: Values,
  workspaceId: string,
): Readonly<Record<string, unknown>> | undefined {
  const input: Record<string, unknown> = {};
  for (const name of Object.keys(properties)) {
    const typed = siblings[name];
    if (name === 'per_page') input[name] = MAX_OPTIONS;
    else if (name.endsWith('_id') && typeof typed === 'string' && typed !== '') input[name] = typed;
    else if (name === 'workspace_id') input[name] = workspaceId;
  }
  return required.every((name) => input[name] !== undefined) ? input : undefined;
}
