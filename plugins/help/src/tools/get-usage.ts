import { Type } from 'typebox';
import {
  CallUsage,
  Clock,
  ERRORS,
  Id,
  Page,
  TimeOrDay,
  Timestamp,
  closed,
  defineTool,
  invalidArgument,
  pageOf,
  paging,
} from '@service-mcp/core';
import { groupRows, sumCalls, summarize } from '../usage-summary.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_DAYS = { hour: 7, day: 90 } as const;
const DEFAULT_DAYS = { hour: 1, day: 30 } as const;

const calls = Type.Integer();
const p50_ms = Type.Number({ description: 'Median, in milliseconds, within a factor of 2' });
const p95_ms = Type.Number({ description: '95th percentile, in milliseconds, within a factor of 2' });
const Row = Type.Object(
  {
    start: Timestamp,
    tool: Type.String({ description: 'unknown: a name that no tool has' }),
    outcome: Type.Enum(['OK', ...Object.keys(ERRORS)]),
    calls,
    p50_ms,
    p95_ms,
  },
  closed,
);
const Period = Type.Object({ start: Timestamp, calls, failed: Type.Integer(), p50_ms, p95_ms }, closed);

export const getUsage = defineTool({
  name: 'deployment_usage',
  title: 'Show the usage of tools',
  description:
    'Counts calls by hour or day, tool and outcome, with their durations: of one workspace for its admins, of the whole deployment for administrators. Kept for 90 days; calls of other processes follow within a minute.',
  input: Type.Object(
    {
      workspace_id: Type.Optional(Id('Workspace', 'workspaces_list')),
      since: Type.Optional(
        TimeOrDay('Calls from the hour of this time on; default: a day before, or 30 days by day'),
      ),
      until: Type.Optional(TimeOrDay('Calls before this time; default: now', 'next')),
      granularity: Type.Enum(['hour', 'day'], {
        default: 'hour',
        description: 'Length of a period, in UTC: at most 7 days by hour, 90 by day',
      }),
      ...paging,
    },
    closed,
  ),
  output: Type.Object(
    {
      ...Page(Row).properties,
      periods: Type.Array(Period, { description: 'All calls of each period that has some, oldest first' }),
    },
    closed,
  ),
  effect: 'read',
  access: { scope: 'workspaces:read', role: 'admin', in: 'administration' },
  http: { method: 'GET', path: '/v1/usage' },
  surfaces: ['rest', 'rpc'],
  uses: { usage: CallUsage, clock: Clock },
  async handler({ workspace_id: workspaceId, granularity, ...request }, { usage, clock }) {
    const until = request.until === undefined ? clock.now() : new Date(request.until);
    const since =
      request.since === undefined
        ? new Date(until.getTime() - DEFAULT_DAYS[granularity] * DAY_MS)
        : new Date(request.since);
    if (since >= until) throw invalidArgument('/since', 'must be before until');
    if (until.getTime() - since.getTime() > MAX_DAYS[granularity] * DAY_MS)
      throw invalidArgument(
        '/since',
        `must be at most ${MAX_DAYS[granularity]} days before until${granularity === 'hour' ? ', or ask with granularity day' : ''}`,
      );
    const rows = await usage.read({ since, until, granularity, workspaceId });
    const items = groupRows(rows, ({ start, tool, outcome }) => `${start} ${tool} ${outcome}`)
      .map((group) => {
        const [{ start, tool, outcome }] = group;
        return { start, tool, outcome, ...summarize(group) };
      })
      .toSorted((a, b) => compare(b.start, a.start) || b.calls - a.calls || compare(nameOf(a), nameOf(b)));
    const periods = groupRows(rows, ({ start }) => start)
      .map((group) => {
        const failed = sumCalls(group.filter(({ outcome }) => outcome !== 'OK'));
        return { start: group[0].start, failed, ...summarize(group) };
      })
      .toSorted((a, b) => compare(a.start, b.start));
    const { page, per_page } = request;
    const shown = items.slice((page - 1) * per_page, page * per_page);
    return { ...pageOf(shown, items.length, { page, per_page }), periods };
  },
});

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
const nameOf = ({ tool, outcome }: { readonly tool: string; readonly outcome: string }) =>
  `${tool} ${outcome}`;
