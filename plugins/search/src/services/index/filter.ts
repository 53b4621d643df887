import { invalidArgument } from '@service-mcp/core';
import type { SearchRequest } from '../../contract.js';
import { globToRegExp } from './glob.js';
import type { Table } from './lance.js';

/** A text as a literal of a filter. The only way for user text into a filter. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** `column IN (…)`; an empty list matches nothing. */
export function among(column: string, values: Iterable<string>): string {
  const list = [...values].map(literal).join(', ');
  return list === '' ? 'false' : `${column} IN (${list})`;
}

/** Rows of a table by their ids; absent ones are missing. */
export async function rowsById<R extends { readonly id: string }>(
  table: Table,
  ids: Iterable<string>,
  columns: readonly (keyof R & string)[],
  timeoutMs: number,
): Promise<Map<string, R>> {
  const query = table
    .query()
    .where(among('id', ids))
    .select([...columns]);
  const rows: R[] = await query.toArray({ timeoutMs });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Tags in one text column, each between line feeds, so that one is found by a plain substring. */
export function tagColumn(tags: readonly string[]): string {
  return tags.length === 0 ? '' : `\n${tags.map(tagWord).join('\n')}\n`;
}

function tagWord(tag: string): string {
  return tag.replaceAll('\n', ' ');
}

/** The rows of these kinds that a request may see, as a filter of any of the tables. Throws INVALID_ARGUMENT. */
export function rowFilter(request: SearchRequest, kinds: readonly string[]): string {
  const filters = request.filters ?? {};
  const terms = [`workspace_id = ${literal(request.workspaceId)}`, among('kind', kinds)];
  if (request.projectId !== undefined) terms.push(`project_id = ${literal(request.projectId)}`);
  if (filters.languages?.length)
    terms.push(
      among(
        'lang',
        filters.languages.map((language) => language.toLowerCase()),
      ),
    );
  if (filters.pathPrefix) terms.push(`starts_with(path, ${literal(filters.pathPrefix)})`);
  if (filters.pathGlob) terms.push(`regexp_like(path, ${literal(globToRegExp(filters.pathGlob))})`);
  for (const tag of filters.tags ?? []) terms.push(`contains(tags, ${literal(tagColumn([tag]))})`);
  if (filters.modifiedAfter) terms.push(`updated_at >= ${time('modified_after', filters.modifiedAfter)}`);
  if (filters.modifiedBefore) terms.push(`updated_at < ${time('modified_before', filters.modifiedBefore)}`);
  return terms.join(' AND ');
}

function time(field: string, text: string): string {
  return literal(timeColumn(text, field));
}

/** A time as stored in the index: RFC 3339 UTC with milliseconds, so that texts sort as times. */
export function timeColumn(text: string, field = 'updated_at'): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) {
    throw invalidArgument(`/filters/${field}`, 'must be an RFC 3339 time, such as 2026-01-31T00:00:00Z');
  }
  return date.toISOString();
}
