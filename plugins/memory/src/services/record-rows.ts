import type { Sql } from '@service-mcp/core';
import { KINDS } from './kinds.js';
import type { RecordText, Row } from './ranked-row.js';

/** What only records of one kind have. */
export const NONE = { importance: null, session_id: null, status: null, superseded_by: null, valid_to: null };

/** The records with these ids, as they are now. */
export async function rowsOf(
  sql: Sql,
  ids: readonly string[],
  workspace_id: string,
): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for (const kind of ['event', 'node'] as const) {
    const { table, time, type } = KINDS[kind];
    const own = kind === 'event' ? ['importance', 'session_id'] : ['status', 'superseded_by', 'valid_to'];
    // Not narrowed to the workspace in SQL: SQLite would read all of it instead of these.
    const found = (await sql(table)
      .whereIn('id', ids)
      .where({ deleted: 0 })
      .select('id', 'workspace_id', 'project_id', { type, at: time }, ...own)) as Array<
      Row & { workspace_id: string }
    >;
    for (const row of found)
      if (row.workspace_id === workspace_id) rows.set(row.id, { ...NONE, ...row, kind });
  }
  return rows;
}

/** The texts of records, as they are now, by id. */
export async function textsOf(sql: Sql, rows: readonly Row[]): Promise<Map<string, RecordText>> {
  const texts = new Map<string, RecordText>();
  for (const kind of ['event', 'node'] as const) {
    const ids = rows.filter((row) => row.kind === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    const found = (await sql(KINDS[kind].table)
      .whereIn('id', ids)
      .where({ deleted: 0 })
      .select('id', 'title', 'content')) as Array<RecordText & { id: string }>;
    for (const { id, ...text } of found) texts.set(id, text);
  }
  return texts;
}

const MAX_HEAD = 2000;

/** The beginnings of the texts of records, by id. */
export async function headsOf(sql: Sql, rows: readonly Row[]): Promise<Map<string, RecordText>> {
  const texts = new Map<string, RecordText>();
  for (const kind of ['event', 'node'] as const) {
    const ids = rows.filter((row) => row.kind === kind && !row.text).map(({ id }) => id);
    if (ids.length === 0) continue;
    const found = (await sql(KINDS[kind].table)
      .whereIn('id', ids)
      .select('id', 'title', sql.raw('substr(content, 1, ?) as content', [MAX_HEAD]))) as Array<
      RecordText & { id: string }
    >;
    for (const { id, ...text } of found) texts.set(id, text);
  }
  for (const { id, text } of rows) if (text) texts.set(id, text);
  return texts;
}

/** Whether the beginning of a text is all of it. */
export function isWhole({ content }: RecordText): boolean {
  return content.length < MAX_HEAD;
}
