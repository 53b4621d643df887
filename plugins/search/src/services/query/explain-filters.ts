import { editDistance } from '@service-mcp/core';
import { rowFilter } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import type { DocumentRow } from '../index/tables.js';
import type { Settings } from './settings.js';

type Filters = NonNullable<Settings['filters']>;

const MAX_SHOWN = 100;
/** Most languages that are named. */
const MAX_NAMED = 12;

/**
 * Warnings for an answer without results: which filters no document passes, and what there is instead. None where some
 * document passes all of them, so that it was the query that found nothing.
 */
export async function explainFilters(
  settings: Settings,
  tables: IndexTables,
  timeoutMs: number,
): Promise<string[]> {
  const { filters = {} } = settings;
  const { languages = [], path_prefix: prefix, path_glob: glob } = filters;
  const where = (some: Filters) => rowFilter({ ...settings, filters: some }, tables.scope) || 'true';
  const documents = tables.documents;
  const passes = async (some: Filters) => (await documents.countRows(where(some))) > 0;
  const isSet = Object.entries(filters).some(([name, value]) => name !== 'kinds' && value !== undefined);
  if (!isSet || (await passes(filters)) || !(await passes({}))) return [];

  const warnings: string[] = [];
  if (languages.length > 0 && !(await passes({ languages }))) {
    const rows: Pick<DocumentRow, 'lang'>[] = await documents
      .query()
      .where(where({}))
      .select(['lang'])
      .toArray({ timeoutMs });
    const known = [...new Set(rows.map(({ lang }) => lang))].filter((lang) => lang !== '').sort();
    const near = languages.flatMap(
      (name) =>
        known.find((lang) => editDistance(name.slice(0, MAX_SHOWN).toLowerCase(), lang, 2) <= 2) ?? [],
    );
    const instead =
      near.length > 0
        ? `did you mean ${quoted(near)}?`
        : `there are ${known.slice(0, MAX_NAMED).join(', ')}${known.length > MAX_NAMED ? ' and others' : ''}.`;
    warnings.push(`No document here is in ${quoted(languages)}: ${instead}`);
  }
  const example = async () => {
    const rows: Pick<DocumentRow, 'path'>[] = await documents
      .query()
      .where(where({}))
      .select(['path'])
      .limit(1)
      .toArray({ timeoutMs });
    return `paths are relative to their project, such as ${rows[0]?.path ?? ''}.`;
  };
  if (prefix && !(await passes({ path_prefix: prefix })))
    warnings.push(`No path begins with ${quoted([prefix])}: ${await example()}`);
  if (glob && !(await passes({ path_glob: glob })))
    warnings.push(
      `No path matches the glob ${quoted([glob])}: ${glob.includes('\\') ? 'folders end in /, and ' : ''}${await example()}`,
    );
  return warnings.length > 0 ? warnings : ['No document passes all filters: search again with fewer.'];
}

function quoted(words: readonly string[]): string {
  return words
    .slice(0, MAX_NAMED)
    .map((word) => `"${word.slice(0, MAX_SHOWN)}"`)
    .join(', ');
}
