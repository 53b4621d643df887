import type { Output } from '../../api/call.js';
import { useToolNames } from '../../shell/use-pages.js';
import { useProjects } from '../../shell/use-projects.js';
import { count, languageName, words } from '../../ui/format.js';
import { Select } from '../../ui/select.js';
import type { Address } from '../../ui/use-address.js';
import { MEMORY_KINDS } from './use-search.js';

type Facets = NonNullable<Output<'search_hybrid'>['facets']>;
type Facet = Facets['languages'];

const KINDS: Readonly<Record<string, string>> = { code: 'Code', doc: 'Documents', memory: 'Memory' };

/** Narrows a search by what its matches are, with the number of matches of each. */
export function Filters({ facets, get, set }: { readonly facets: Facets } & Address) {
  const tools = useToolNames();
  const { nameOf } = useProjects();
  const filter = (name: string, all: string, facet: Facet, labelOf: (value: string) => string) => {
    const value = get(name);
    const options = (facet ?? [])
      .filter((each) => each.value !== '')
      .map((each) => ({ value: each.value, label: `${labelOf(each.value)} (${count(each.count)})` }));
    // What is chosen stays to be seen, even where nothing of it is found.
    if (value !== '' && !options.some((option) => option.value === value))
      options.push({ value, label: labelOf(value) });
    if (options.length < 2 && value === '') return null;
    return (
      <Select
        label={words(name)}
        all={all}
        value={value}
        options={options}
        onChange={(next) => set({ [name]: next, limit: '' })}
      />
    );
  };
  const known = Object.keys(KINDS).filter((kind) => kind !== 'memory' || tools.has('memory_search'));
  // Kinds of other plugins. What is chosen stays to be seen here too.
  const found = [...(facets.kinds ?? []).map(({ value }) => value), get('kind')];
  const others = found.filter((kind) => ![...known, ...MEMORY_KINDS, ''].includes(kind));
  const kinds = [...known, ...new Set(others)];
  const matchesOf = (kind: string) => facets.kinds?.find(({ value }) => value === kind);
  return (
    <div className="filters">
      <Select
        label="Look in"
        all={others.length > 0 ? 'Code, documents and more' : 'Code and documents'}
        value={get('kind')}
        options={kinds.map((kind) => {
          const matches = matchesOf(kind);
          return {
            value: kind,
            label: `${KINDS[kind] ?? words(kind)}${matches ? ` (${count(matches.count)})` : ''}`,
          };
        })}
        onChange={(kind) => set({ kind, folder: '', language: '', limit: '', file: '' })}
      />
      {filter('project', 'All projects', facets.projects, nameOf)}
      {filter('folder', 'All folders', facets.directories, (path) => path)}
      {filter('language', 'All languages', facets.languages, languageName)}
    </div>
  );
}
