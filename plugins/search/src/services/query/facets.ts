import type { SearchFacets, FacetName } from '../../schemas.js';
import type { FilterRow } from '../index/tables.js';

/** The columns that facets count by. */
export const FACET_COLUMNS = ['project_id', 'kind', 'path', 'lang'] as const;

/** Matches of one document or chunk. */
export interface FacetRow extends Pick<FilterRow, (typeof FACET_COLUMNS)[number]> {
  readonly count: number;
}

const MAX_VALUES = 50;

/** Counts of the matches by each wanted facet, largest first, at most 50 values each. */
export function countFacets(wanted: readonly FacetName[], rows: readonly FacetRow[]): SearchFacets {
  const keys: Record<FacetName, () => (row: FacetRow) => string | undefined> = {
    languages: () => (row) => row.lang || undefined,
    kinds: () => (row) => row.kind,
    directories: () => directoryOf(sharedDirectory(rows)),
    projects: () => (row) => row.project_id || undefined,
  };
  return Object.fromEntries(wanted.map((name) => [name, counted(rows, keys[name]())]));
}

function counted(rows: readonly FacetRow[], keyOf: (row: FacetRow) => string | undefined) {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = keyOf(row);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + row.count);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_VALUES);
}

/** The names of the folders that a path lies in. */
function foldersOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}

/** The deepest directory that holds every path. */
function sharedDirectory(rows: readonly FacetRow[]): readonly string[] {
  let shared: string[] | undefined;
  for (const { path } of rows) {
    if (path === '') continue;
    const folders = foldersOf(path);
    if (!shared) shared = folders;
    const differs = shared.findIndex((name, depth) => folders[depth] !== name);
    if (differs >= 0) shared = shared.slice(0, differs);
  }
  return shared ?? [];
}

/** The directory of a path one level below `shared`, or `shared` for what lies directly in it. */
function directoryOf(shared: readonly string[]): (row: FacetRow) => string | undefined {
  const depth = shared.length + 1;
  return ({ path }) => (path === '' ? undefined : foldersOf(path).slice(0, depth).join('/'));
}
