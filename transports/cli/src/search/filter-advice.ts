import { editDistance } from '@service-mcp/core';
import type { Arguments, Connection } from '../connection/connection.js';
import type { Mode } from '../commands/search.js';
import { count, plural, printable } from '../terminal/format.js';

type SearchArguments = Arguments<'search_hybrid'>;

/** Most values of a facet that are named. */
const MAX_NAMED = 6;

/**
 * Lines about filters that leave nothing: the same search without them says where its results are, and which language
 * may have been meant.
 */
export async function filterAdvice(
  connection: Connection,
  mode: Mode,
  { filters = {}, ...args }: SearchArguments,
): Promise<string[]> {
  const { languages = [], path_prefix: prefix } = filters;
  const given = [
    ...languages.map((name) => `--language ${name}`),
    ...(prefix === undefined ? [] : [`--path-prefix ${prefix}`]),
  ];
  const nothing = `Nothing matches with ${printable(given.join(' '))}.`;
  const all = await connection
    .call(`search_${mode}`, { ...args, limit: 1, facets: ['languages', 'directories'] })
    .catch(() => undefined);
  if (!all) return [nothing];
  if (all.results.length === 0)
    return [`${nothing} Nor does anything without: try other words, or another --mode.`];
  const lines = [
    `${nothing} Without it: ${all.total_is_lower_bound ? 'at least ' : ''}${plural(all.total, 'result')}.`,
  ];
  const found = all.facets?.languages ?? [];
  const near = languages.flatMap(
    (name) => found.find(({ value }) => editDistance(name.toLowerCase(), value) <= 2)?.value ?? [],
  );
  if (near.length > 0) lines.push(`Did you mean --language ${near.join(' --language ')}?`);
  else if (languages.length > 0) lines.push(`Languages: ${named(found)}.`);
  if (prefix !== undefined) lines.push(`Folders: ${named(all.facets?.directories ?? [])}.`);
  return lines;
}

function named(counts: readonly { readonly value: string; readonly count: number }[]): string {
  const shown = counts
    .slice(0, MAX_NAMED)
    .map((each) => `${printable(each.value) || '(root)'} (${count(each.count)})`);
  return [...shown, ...(counts.length > MAX_NAMED ? ['…'] : [])].join(', ');
}
