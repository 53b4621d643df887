import type { Sql } from '@service-mcp/core';
import { closedTasks } from './closed-tasks.js';
import { KINDS } from './kinds.js';
import type { MemoryRequest } from './memory-search.js';
import type { Scored } from './ranked-row.js';
import { asksForOpen, type Period } from './time-words.js';

/** The newest records of a kind and a time, of those that ask for nothing else. */
const MAX_OF_PERIOD = 100;
/** What a record of another type than the one that was asked for has. */
const OTHER_TYPE = 0.5;

type Asked = Pick<
  MemoryRequest,
  'query' | 'workspace_id' | 'project_id' | 'with_shared' | 'kinds' | 'event_types' | 'node_types' | 'as_of'
>;

/**
 * Scores of the newest records of a period, all alike but for the type that is asked for, with what their texts had. Tasks
 * that are closed are left out where the query asks for open ones.
 */
export async function scoresOfPeriod(
  sql: Sql,
  { query, workspace_id, project_id, with_shared = false, kinds, event_types, node_types, as_of }: Asked,
  { since, until, type }: Pick<Period, 'since' | 'until' | 'type'>,
  found: ReadonlyMap<string, Scored>,
): Promise<Map<string, Scored>> {
  const scores = new Map<string, Scored>();
  for (const kind of kinds) {
    const { table, time, type: column } = KINDS[kind];
    const rows = sql(table).where({ workspace_id, deleted: 0 }).where(time, '<', until);
    if (since !== undefined) void rows.where(time, '>=', since);
    const types = kind === 'event' ? event_types : node_types;
    if (types.length > 0) void rows.whereIn(column, types);
    if (kind === 'event' && isForOpenTasks(query, type))
      void rows.whereNotIn('id', closedTasks(sql, workspace_id, as_of));
    if (project_id !== undefined)
      void rows.where((own) => {
        void own.where({ project_id });
        if (with_shared) void own.orWhereNull('project_id');
      });
    const newest = (await rows
      .orderBy(time, 'desc')
      .limit(MAX_OF_PERIOD)
      .select('id', { is: column })) as Array<{
      id: string;
      is: string;
    }>;
    for (const { id, is } of newest)
      scores.set(id, {
        score: type === undefined || is === type ? 1 : OTHER_TYPE,
        parts: found.get(id)?.parts ?? {},
      });
  }
  return scores;
}

/** Takes closed tasks out of the records that a query for open ones has found. */
export async function leaveOutClosed(
  sql: Sql,
  { query, workspace_id, as_of }: Pick<Asked, 'query' | 'workspace_id' | 'as_of'>,
  type: string | undefined,
  found: Map<string, Scored>,
): Promise<void> {
  if (!isForOpenTasks(query, type)) return;
  const closed = (await closedTasks(sql, workspace_id, as_of)
    .whereIn('task.id', [...found.keys()])
    .pluck('task.id')) as string[];
  for (const id of closed) found.delete(id);
}

function isForOpenTasks(query: string, type: string | undefined): boolean {
  return type === 'task' && asksForOpen(query);
}

/** What stands in for a type that is not a known one, where a workspace does not have it. */
const INSTEAD: Readonly<Record<string, string>> = { incident: 'bug' };

/** The type of events in a workspace that a query means by one. */
export async function typeInUse(sql: Sql, workspace_id: string, type: string): Promise<string> {
  const instead = INSTEAD[type];
  if (instead === undefined) return type;
  const own = sql('memory_events').where({ workspace_id, deleted: 0, event_type: type });
  const found = (await own.limit(1).pluck('id')) as string[];
  return found.length > 0 ? type : instead;
}

/** What a record keeps of its score that has a word of a query for a type and nothing else, and is of another one. */
const ONLY_WORDS = 0.5;

/** Scores of the newest records of a type before a time, then those of records that hold a word of the query. */
export async function scoresOfType(
  sql: Sql,
  asked: Asked,
  { type, until }: { readonly type: string; readonly until: string },
  found: ReadonlyMap<string, Scored>,
): Promise<Map<string, Scored>> {
  const types = { event_types: [type], node_types: [type] };
  const scores = await scoresOfPeriod(sql, { ...asked, ...types }, { since: undefined, until, type }, found);
  if (scores.size === 0) return scores;
  for (const [id, { score, parts }] of found)
    if (!scores.has(id) && (parts.keyword ?? 0) > 0) scores.set(id, { score: score * ONLY_WORDS, parts });
  return scores;
}

const lastDay = ({ until }: Period) => new Date(Date.parse(until) - 1).toISOString().slice(0, 10);

const FOUND = 'The query asks for a time: these are the records of ';
const NOT_FOUND = 'The query asks for a time of which memory has no record: these are not of ';

/** What a caller has to know of how the time in a query was read, which asks for nothing else. */
export function periodNotes(
  period: Period | undefined,
  isFound: boolean,
  hits: ReadonlyArray<{ readonly row: { readonly type: string } }>,
): string[] {
  if (!period?.isAlone) return [];
  const { since, type } = period;
  const to = lastDay(period);
  const from = since?.slice(0, 10);
  const days = from === undefined ? `the time until ${to}` : from === to ? to : `${from} to ${to}`;
  const others = isFound && type !== undefined && !hits.some(({ row }) => row.type === type);
  const none = others ? ` None of them has the type ${type}.` : '';
  return [`${isFound ? FOUND : NOT_FOUND}${days} (UTC).${none}`];
}

const NO_TYPE = 'None was found that has the type ';

/** That no record has the type that a query asks for. */
export function typeNote(type: string): string {
  return `${NO_TYPE}${type}.`;
}

/** Whether a warning is such a note. */
export function isPeriodNote(warning: string): boolean {
  return warning.startsWith(FOUND) || warning.startsWith(NOT_FOUND) || warning.startsWith(NO_TYPE);
}
