import type { Query, Sql } from '@service-mcp/core';

/**
 * The ids of the tasks of a workspace that are closed, now or at a time: by the tag `done`, their own or that of an event
 * of their title, since an agent that cannot change an event stores another one. Such an event closes what happened
 * before it or was stored before it, so that a task may come again, in its project; one of no project closes, and is
 * closed, in each.
 */
export function closedTasks(sql: Sql, workspace_id: string, asOf?: string): Query {
  const done = sql('memory_tags')
    .join('memory_events as event', 'event.id', 'memory_tags.record_id')
    .where({ 'memory_tags.workspace_id': workspace_id, tag: 'done', 'event.deleted': 0 })
    .groupBy('event.title', 'event.project_id') // read once, where a join of the rows is a loop in a loop on SQLite
    .select('event.title', 'event.project_id')
    .max({ occurred_at: 'event.occurred_at', created_at: 'event.created_at' });
  if (asOf !== undefined) void done.where('event.created_at', '<=', asOf);
  return sql('memory_events as task')
    .join(done.as('closing'), 'closing.title', 'task.title')
    .where({ 'task.workspace_id': workspace_id, 'task.event_type': 'task', 'task.deleted': 0 })
    .whereRaw('(closing.occurred_at >= task.occurred_at OR closing.created_at > task.created_at)')
    .whereRaw(
      '(closing.project_id = task.project_id OR closing.project_id IS NULL OR task.project_id IS NULL)',
    )
    .select('task.id');
}
