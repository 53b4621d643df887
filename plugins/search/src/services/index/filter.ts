import { invalidArgument } from '@service-mcp/core/errors';
import { RE2JS } from 're2js';
import type { DocumentState } from '../../contract.js';
import { globToRegExp } from './glob.js';
import type { Settings } from '../query/settings.js';

/** A text as a literal of a filter. The only way for user text into a filter. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** `column IN (…)`; an empty list matches nothing. */
export function among(column: string, values: Iterable<string>): string {
  const list = [...values].map(literal).join(', ');
  return list === '' ? 'false' : `${column} IN (${list})`;
}

/** Tags in one text column, each between line feeds, so that one is found by a plain substring. */
export function tagColumn(tags: readonly string[]): string {
  return tags.length === 0 ? '' : `\n${tags.map((tag) => tag.replaceAll('\n', ' ')).join('\n')}\n`;
}

/**
 * The rows of an index that a request asks for, as a filter of any of its tables; `scope` is that of the tables. Empty
 * for all rows, since any filter costs a query a millisecond: rows of a kind that no source yields are dropped with what was
 * deleted. Throws INVALID_ARGUMENT.
 */
export function rowFilter(
  {
    project_id,
    kinds,
    everyKind,
    filters = {},
  }: Pick<Settings, 'project_id' | 'kinds' | 'everyKind' | 'filters'>,
  scope?: string,
): string {
  const { languages = [], path_prefix, path_glob, tags = [], modified_after, modified_before } = filters;
  const terms = [...(scope === undefined ? [] : [scope]), ...(everyKind ? [] : [among('kind', kinds)])];
  if (project_id !== undefined) terms.push(`project_id = ${literal(project_id)}`);
  if (languages.length > 0) terms.push(among('lang', languages));
  if (path_prefix) terms.push(`starts_with(path, ${literal(path_prefix)})`);
  if (path_glob) terms.push(`regexp_like(path, ${literal(globToRegExp(path_glob))})`);
  for (const tag of tags) terms.push(`contains(tags, ${literal(tagColumn([tag]))})`);
  if (modified_after) terms.push(`updated_at >= ${literal(timeColumn(modified_after, 'modified_after'))}`);
  if (modified_before) terms.push(`updated_at < ${literal(timeColumn(modified_before, 'modified_before'))}`);
  return conjunction(...terms);
}

/** Several conditions as one. An empty one holds for all rows. */
export function conjunction(...conditions: readonly string[]): string {
  return conditions.filter((each) => each !== '').join(' AND ');
}

/** A query for the rows that meet a condition. */
export function filtered<Query extends { where(condition: string): Query }>(
  query: Query,
  condition: string,
): Query {
  return condition === '' ? query : query.where(condition);
}

/**
 * The documents that a request asks for, by their current states: the same as {@link rowFilter} by rows. Throws
 * INVALID_ARGUMENT.
 */
export function stateFilter({
  project_id,
  kinds,
  filters = {},
}: Pick<Settings, 'project_id' | 'kinds' | 'filters'>): (state: DocumentState) => boolean {
  const { path_prefix = '', path_glob, tags = [], modified_after, modified_before } = filters;
  const languages = new Set(filters.languages);
  const glob = path_glob === undefined ? undefined : RE2JS.compile(globToRegExp(path_glob));
  const after = modified_after && timeColumn(modified_after, 'modified_after');
  const before = modified_before && timeColumn(modified_before, 'modified_before');
  return (state) => {
    const time = after || before ? timeColumn(state.updatedAt) : '';
    return (
      kinds.includes(state.kind) &&
      (project_id === undefined || state.projectId === project_id) &&
      (languages.size === 0 || languages.has(state.language ?? '')) &&
      state.path.startsWith(path_prefix) &&
      (!glob || glob.test(state.path)) &&
      tags.every((tag) => tagColumn(state.tags).includes(tagColumn([tag]))) &&
      (!after || time >= after) &&
      (!before || time < before)
    );
  };
}

/** A time as stored in the index: RFC 3339 UTC with milliseconds, so that texts sort as times. */
export function timeColumn(text: string, field = 'updated_at'): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) {
    throw invalidArgument(`/filters/${field}`, 'must be an RFC 3339 time, such as 2026-01-31T00:00:00Z');
  }
  return date.toISOString();
}

/** Ids in one filter: past this, LanceDB plans longer than it reads. */
const IDS_PER_FILTER = 500;

/** Ids in as many parts as filters need. */
export function* inFilters(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += IDS_PER_FILTER) yield ids.slice(at, at + IDS_PER_FILTER);
}
