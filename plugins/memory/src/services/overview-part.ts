import { Clock, Database, contribute, type Query, type Sql } from '@service-mcp/core';
import { OverviewPart } from '@service-mcp/plugin-workspaces/contract';
import { closedTasks } from './closed-tasks.js';
import { validAt } from './validity.js';

const RECENT = 5;

interface Titled {
  readonly id: string;
  readonly title: string;
}

interface Decided extends Titled {
  readonly status: string;
  readonly decided_at: string;
}

interface Scope {
  readonly workspaceId: string;
  readonly projectId: string | undefined;
}

function livingIn(sql: Sql, table: string, { workspaceId, projectId }: Scope): Query {
  const living = sql(table).where({ workspace_id: workspaceId, deleted: 0 });
  if (projectId !== undefined)
    void living.where((own) => own.where({ project_id: projectId }).orWhereNull('project_id'));
  return living;
}

/** The newest decisions in force, of nodes and of events, as `memory_decisions` lists them. */
async function lastDecided(sql: Sql, scope: Scope, now: string): Promise<Decided[]> {
  const nodes = livingIn(sql, 'memory_nodes', scope)
    .where({ node_type: 'decision' })
    .whereIn('status', ['active', 'verified']);
  const events = livingIn(sql, 'memory_events', scope)
    .where({ event_type: 'decision' })
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

/** The newest events that have happened, decisions in force, and open tasks, in the overview of a workspace. */
export const overviewPart = contribute(OverviewPart, {
  uses: { database: Database, clock: Clock },
  create: ({ database: { sql }, clock }): OverviewPart => ({
    scope: 'memory:read',
    async read(workspaceId, projectId) {
      const scope = { workspaceId, projectId };
      const now = clock.now().toISOString();
      const recentEvents = (await livingIn(sql, 'memory_events', scope)
        .where('occurred_at', '<=', now)
        .orderBy('occurred_at', 'desc')
        .limit(RECENT)
        .select('id', 'event_type', 'title', 'occurred_at')) as Titled[];
      const recentDecisions = await lastDecided(sql, scope, now);
      const tasks = (await livingIn(sql, 'memory_events', scope)
        .where({ event_type: 'task' })
        .whereNotIn('id', closedTasks(sql, workspaceId))
        .orderBy('occurred_at', 'desc')
        .limit(RECENT)
        .select('id', 'title', 'importance', 'occurred_at')) as Titled[];
      return {
        openTasks: tasks.map((task) => ({ ...task })),
        recentEvents: recentEvents.map((event) => ({ ...event })),
        recentDecisions: recentDecisions.map((decision) => ({ ...decision })),
      };
    },
  }),
});
