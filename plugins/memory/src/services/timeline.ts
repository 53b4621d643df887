import {
  CallAdmission,
  Database,
  countRows,
  notFound,
  pageOf,
  provideForCall,
  token,
} from '@service-mcp/core';
import type { PageOf, PageRequest, Query, Sql } from '@service-mcp/core';
import type { Bucket, TimelineEntry } from '../answers.js';
import { KINDS, type Kind } from './kinds.js';
import { relatedNodes, relationsOf, type Related } from './relations.js';
import { firstSentence } from './sentences.js';

export const GRANULARITIES = ['day', 'week', 'month'] as const;

type Granularity = (typeof GRANULARITIES)[number];

/** Counts of an answer for which nobody chose a granularity: half of what a result over MCP may hold. */
const MAX_BUCKETS = 200;

export interface TimelineRequest extends PageRequest {
  readonly since: string | undefined;
  readonly until: string | undefined;
  /** Undefined: the finest of at most {@link MAX_BUCKETS} counts. */
  readonly granularity: Granularity | undefined;
  readonly types: readonly string[];
  /** The id of an event: the answer is the page that holds it. */
  readonly around: string | undefined;
}

/** What happened and what became true in a workspace, newest first. */
export interface Timeline {
  read(
    request: TimelineRequest,
  ): Promise<PageOf<TimelineEntry> & { granularity: Granularity; buckets: Bucket[] }>;
}
export const Timeline = token<Timeline>('memory.Timeline');

/** An entry before its texts are read. */
interface Place {
  readonly kind: Kind;
  readonly id: string;
  readonly at: string;
}
interface Row extends Pick<TimelineEntry, 'id' | 'title' | 'type'> {
  readonly content: string;
  readonly code_refs: string;
  readonly supersedes?: string | null;
  readonly superseded_by?: string | null;
}

const MAX_SUMMARY = 200;

export const timeline = provideForCall(Timeline, {
  uses: { database: Database, admission: CallAdmission },
  create({ database, admission }): Timeline {
    const { workspaceId: workspace_id } = admission;

    function matching(sql: Sql, kind: Kind, { since, until, types }: TimelineRequest): Query {
      const { table, time, type } = KINDS[kind];
      // Written out, as in the partial indexes: counting with a parameter takes a sixth longer.
      const rows = sql(table).where({ workspace_id }).whereRaw('deleted = 0');
      if (since !== undefined) void rows.where(time, '>=', since);
      if (until !== undefined) void rows.where(time, '<', until);
      if (types.length > 0) void rows.whereIn(type, types);
      return rows;
    }
    const both = ['event', 'node'] as const;

    async function pageAround(id: string, request: TimelineRequest): Promise<number> {
      const event: { at: string } | undefined = await database
        .sql('memory_events')
        .where({ id, workspace_id, deleted: 0 })
        .first({ at: 'occurred_at' });
      if (!event) throw notFound('event', id, 'memory_list_events');
      let newer = 0;
      for (const kind of both) {
        const { time } = KINDS[kind];
        const rows = matching(database.sql, kind, request);
        newer += await countRows(
          rows.where((later) =>
            later
              .where(time, '>', event.at)
              .orWhere((same) => same.where(time, event.at).where('id', '>', id)),
          ),
        );
      }
      return Math.floor(newer / request.per_page) + 1;
    }

    async function places(request: TimelineRequest, page: number): Promise<Place[]> {
      const offset = (page - 1) * request.per_page;
      const newest = both.map((kind) => {
        const { time } = KINDS[kind];
        const rows = matching(database.sql, kind, request).orderBy(time, 'desc').orderBy('id', 'desc');
        const columns = [database.sql.raw('? as kind', [kind]), 'id', database.sql.raw('?? as at', [time])];
        // Limited apart, since PostgreSQL would read and sort all rows of both.
        return database.sql(
          rows
            .limit(offset + request.per_page)
            .select(columns)
            .as(kind),
        );
      });
      return database
        .sql(database.sql.unionAll(newest).as('entries'))
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(request.per_page)
        .offset(offset) as Promise<Place[]>;
    }

    async function entries(found: readonly Place[]): Promise<TimelineEntry[]> {
      const rows = new Map<string, Row>();
      for (const kind of both) {
        const ids = found.filter((place) => place.kind === kind).map(({ id }) => id);
        const { table, type } = KINDS[kind];
        const links = kind === 'node' ? ['supersedes', 'superseded_by'] : [];
        const some = (await database
          .sql(table)
          .whereIn('id', ids)
          .select('id', 'title', 'content', 'code_refs', { type }, ...links)) as Row[];
        for (const row of some) rows.set(row.id, row);
      }
      const ids = found.filter(({ kind }) => kind === 'node').map(({ id }) => id);
      const related = await relatedNodes(database.sql, [workspace_id], ids);
      return found.flatMap(({ kind, id, at }) => {
        const row = rows.get(id);
        if (!row) return [];
        const { type, title, content } = row;
        const summary = firstSentence(content, MAX_SUMMARY);
        return [{ occurred_at: at, kind, type, id, title, summary, links: linksOf(row, related.get(id)) }];
      });
    }

    async function countsByDay(request: TimelineRequest): Promise<DayCount[]> {
      const counts: DayCount[] = [];
      for (const kind of both) {
        const { time, type } = KINDS[kind];
        const day = `substr(${time}, 1, 10)`; // as in the index by day, which answers this alone
        const byDay = matching(database.sql, kind, request)
          .groupByRaw(`${day}, ${type}`)
          .select(database.sql.raw(`${day} AS day`), { type })
          .count({ count: '*' });
        // As one text: SQLite hands over thousands of short rows more slowly than it counts them.
        const [{ counted } = { counted: null }] = (await database
          .sql(byDay.as('by_day'))
          .select(
            database.sql.raw(`string_agg(day || ' ' || type || ' ' || count, ',') AS counted`),
          )) as Array<{
          counted: string | null;
        }>;
        for (const entry of counted?.split(',') ?? []) {
          const [dayOf = '', typeOf = '', count] = entry.split(' ');
          counts.push({ day: dayOf, type: typeOf, count: Number(count) });
        }
      }
      return counts;
    }

    return {
      async read(request) {
        const { around } = request;
        const page = around === undefined ? request.page : await pageAround(around, request);
        const items = await entries(await places(request, page));
        const counts = await countsByDay(request);
        const total = counts.reduce((sum, { count }) => sum + count, 0);
        const granularity = request.granularity ?? finestOf(counts);
        const buckets = bucketsOf(counts, granularity);
        return { ...pageOf(items, total, { ...request, page }), granularity, buckets };
      },
    };
  },
});

function linksOf(row: Row, edges: readonly Related[] | undefined): TimelineEntry['links'] {
  const refs = JSON.parse(row.code_refs) as Array<{ path: string; symbol?: string }>;
  return [
    ...relationsOf(row, edges).map(({ id, relation_type }) => ({ relation: relation_type, id })),
    ...refs.map(({ path, symbol }) => ({
      relation: 'code',
      id: symbol === undefined ? path : `${path}#${symbol}`,
    })),
  ];
}

/** Records of one type on one day (YYYY-MM-DD). */
interface DayCount {
  readonly day: string;
  readonly type: string;
  readonly count: number;
}

/** The finest granularity of at most {@link MAX_BUCKETS} counts, or months. */
function finestOf(counts: readonly DayCount[]): Granularity {
  const days = [...new Set(counts.map(({ day }) => day))];
  const fits = (each: Granularity) => new Set(days.map((day) => startOf(day, each))).size <= MAX_BUCKETS;
  return GRANULARITIES.find(fits) ?? 'month';
}

/** The newest first. */
function bucketsOf(counts: readonly DayCount[], granularity: Granularity): Bucket[] {
  const byStart = new Map<string, Map<string, number>>();
  for (const { day, type, count } of counts) {
    const start = startOf(day, granularity);
    const types = byStart.get(start) ?? new Map<string, number>();
    types.set(type, (types.get(type) ?? 0) + count);
    byStart.set(start, types);
  }
  return [...byStart]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([start, types]) => ({
      start,
      count: [...types.values()].reduce((sum, n) => sum + n, 0),
      by_type: Object.fromEntries([...types].sort(([a], [b]) => (a < b ? -1 : 1))),
    }));
}

const FIRST_DAY = '0000-01-01';

/**
 * The first day of the week of a day (YYYY-MM-DD), which is a Monday, its month (YYYY-MM), or the day. The first week
 * begins on the first day that RFC 3339 can write, a Saturday.
 */
function startOf(day: string, granularity: Granularity): string {
  if (granularity === 'day') return day;
  if (granularity === 'month') return day.slice(0, 7);
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (date.getUTCFullYear() < 0) return FIRST_DAY;
  return date.toISOString().slice(0, 10);
}
