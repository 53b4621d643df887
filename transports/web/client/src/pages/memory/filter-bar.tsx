import { useTool } from '../../api/use-tool.js';
import { useProjects } from '../../shell/use-projects.js';
import { useWorkspace } from '../../shell/workspace.js';
import { count, words } from '../../ui/format.js';
import { Select } from '../../ui/select.js';
import { useAddress } from '../../ui/use-address.js';
import { options, STATUSES } from './kinds.js';

const KINDS = [
  { id: '', label: 'All' },
  { id: 'event', label: 'Events' },
  { id: 'node', label: 'Knowledge' },
] as const;

interface Value {
  readonly value: string;
  readonly count: number;
}

/** Narrows the list by what there is, with how many there are of each. */
export function FilterBar() {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const { data: facets } = useTool('memory_facets', { workspace_id: workspace.id });
  const { nameOf: projectName } = useProjects();
  const kind = get('kind');
  const isSearch = get('q') !== '';
  const types = sum([
    ...(kind === 'node' ? [] : (facets?.event_types ?? [])),
    ...(kind === 'event' ? [] : (facets?.node_types ?? [])),
  ]);
  const choice = (name: string, all: string, values: readonly Value[], nameOf = (value: string) => value) => {
    const value = get(name);
    // What is chosen stays to be seen, even where there is nothing of it any more.
    const chosen = value !== '' && !values.some((each) => each.value === value) ? [{ value, count: 0 }] : [];
    if (values.length + chosen.length === 0) return null;
    return (
      <Select
        label={words(name)}
        all={all}
        value={value}
        options={[...values, ...chosen].map((each) => ({
          value: each.value,
          label: `${nameOf(each.value)} (${count(each.count)})`,
        }))}
        onChange={(next) => set({ [name]: next, page: '' })}
      />
    );
  };
  const day = (name: string, label: string) => (
    <label className="day">
      {label}
      <input
        type="date"
        className="control"
        value={get(name)}
        onChange={({ target }) => set({ [name]: target.value, page: '' })}
      />
    </label>
  );
  return (
    <div className="search-bar">
      <div className="segments" role="group" aria-label="Kind">
        {KINDS.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === kind}
            onClick={() => set({ kind: id, type: '', tag: '', status: '', page: '' })}
          >
            {label}
          </button>
        ))}
      </div>
      <div className="filters">
        {choice('type', 'All types', types, words)}
        {kind === 'node' && !isSearch && (
          <Select
            label="Status"
            all="Any status"
            value={get('status')}
            options={options(STATUSES)}
            onChange={(status) => set({ status, page: '' })}
          />
        )}
        {kind !== '' && !isSearch && choice('tag', 'All tags', facets?.tags ?? [])}
        {(kind !== '' || isSearch) && choice('project', 'All projects', facets?.projects ?? [], projectName)}
        {!isSearch && (
          <>
            {day('from', 'From')}
            {day('to', 'To')}
            <span className="muted time">days of UTC</span>
          </>
        )}
      </div>
    </div>
  );
}

/** Events and knowledge of one type are one value. */
function sum(values: readonly Value[]): Value[] {
  const counts = new Map<string, number>();
  for (const each of values) counts.set(each.value, (counts.get(each.value) ?? 0) + each.count);
  return [...counts].map(([value, many]) => ({ value, count: many })).sort((a, b) => b.count - a.count);
}
