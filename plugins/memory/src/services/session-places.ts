import type { Sql } from '@service-mcp/core';
import type { MemoryRequest } from './memory-search.js';
import type { Placed } from './ranking.js';

/** Events of sessions that are looked at for neighbours. */
const MAX_PLACES = 20_000;

type Asked = Pick<MemoryRequest, 'workspace_id' | 'as_of' | 'project_id' | 'with_shared'>;

/** The events of the sessions of what was found, in the order of each session. */
export async function placesOf(
  sql: Sql,
  ids: readonly string[],
  { workspace_id, as_of, project_id, with_shared }: Asked,
): Promise<Placed[]> {
  const found = sql('memory_events').whereIn('id', ids).whereNotNull('session_id').distinct('session_id');
  const events = sql('memory_events')
    .where({ workspace_id, deleted: 0 })
    .whereIn('session_id', found)
    .orderBy([{ column: 'session_id' }, { column: 'occurred_at' }, { column: 'id' }])
    .limit(MAX_PLACES)
    .select('id', 'session_id', 'occurred_at');
  if (project_id !== undefined && !with_shared) void events.where({ project_id });
  if (as_of !== undefined) void events.where('occurred_at', '<=', as_of);
  // A row for each session: reading one for each event takes several times as long.
  const sessions = (await sql(events.as('placed'))
    .groupBy('session_id')
    .select({ session: 'session_id' }, sql.raw(`string_agg(id, ',' order by occurred_at, id) as ids`))
    .orderBy('session_id')) as Array<{ session: string; ids: string }>;
  return sessions.flatMap(({ session, ids }) => ids.split(',').map((id) => ({ id, session })));
}
