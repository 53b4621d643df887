import { Clock, Database, contribute, type Sql } from '@service-mcp/core';
import { OverviewPart } from '@service-mcp/plugin-workspaces/contract';
import { validAt } from './validity.js';

const RECENT = 5;

interface Decided {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly decided_at: string;
}

/** The newest decisions in force, of nodes and of events, as `memory_decisions` lists them. */
async function lastDecided(sql: Sql, workspace_id: string, now: string): Promise<Decided[]> {
  const nodes = sql('memory_nodes')
    .where({ workspace_id, deleted: 0, node_type: 'decision' })
    .whereIn('status', ['active', 'verified']);
  const events = sql('memory_events')
    .where({ workspace_id, deleted: 0, event_type: 'decision' })
    .where('occurred_at', '<=', now);
  const decided = [
    ...((await validAt(nodes, now)
      .orderBy('valid_from', 'desc')
      .limit(RECENT)
      .select('id', 'title', 'status', { decided_at: 'valid_from' })) as Decided[]),
    ...((await events
      .orderBy('occurred_at', 'desc')
      .limit(RECENT)
      .select('id', 'title', sql.raw("'active' as status"), { decided_at: 'occurred_at' })) as Decided[]),
  ];
  return decided
    .sort((a, b) => b.decided_at.localeCompare(a.decided_at) || b.id.localeCompare(a.id))
    .slice(0, RECENT);
}

/** The newest events that have happened, decisions in force, and tasks without the tag `done`, in the overview of a workspace. */
export const overviewPart = contribute(OverviewPart, {
  uses: { database: Database, clock: Clock },
  create: ({ database: { sql }, clock }): OverviewPart => ({
    scope: 'memory:read',
    async read(workspace_id) {
      const now = clock.now().toISOString();
      const recentEvents = (await sql('memory_events')
        .where({ workspace_id, deleted: 0 })
        .where('occurred_at', '<=', now)
        .orderBy('occurred_at', 'desc')
        .limit(RECENT)
        .select('id', 'event_type', 'title', 'occurred_at')) as object[];
      const recentDecisions = await lastDecided(sql, workspace_id, now);
      const tasks = (await sql('memory_events')
        .where({ workspace_id, deleted: 0, event_type: 'task' })
        .whereNotExists((done) =>
          done
            .from('memory_tags')
            .whereRaw('memory_tags.record_id = memory_events.id')
            .where({ tag: 'done' })
            .select(sql.raw('1')),
        )
        .orderBy('occurred_at', 'desc')
        .limit(RECENT)
        .select('id', 'title', 'importance', 'occurred_at')) as object[];
      return {
        openTasks: tasks.map((task) => ({ ...task })),
        recentEvents: recentEvents.map((event) => ({ ...event })),
        recentDecisions: recentDecisions.map((decision) => ({ ...decision })),
      };
    },
  }),
});
