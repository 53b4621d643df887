import { Clock, Database, provide, token } from '@service-mcp/core';

export interface RecentEventsRequest {
  readonly workspace_id: string;
  /** Leaves out events of other projects; those of no project remain. */
  readonly project_id?: string | undefined;
  /** Only events of this conversation. */
  readonly session_id?: string | undefined;
  /** Only events that had happened and were recorded at this time. */
  readonly as_of?: string | undefined;
  readonly limit: number;
}

export interface RecentEvent {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly content: string;
  readonly occurred_at: string;
}

/** The newest events of those that have happened, newest first. The caller must be admitted to the workspace. */
export interface RecentEvents {
  list(request: RecentEventsRequest): Promise<readonly RecentEvent[]>;
}
export const RecentEvents = token<RecentEvents>('memory.RecentEvents');

export const recentEvents = provide(RecentEvents, {
  uses: { database: Database, clock: Clock },
  create: ({ database: { sql }, clock }): RecentEvents => ({
    async list({ workspace_id, project_id, session_id, as_of, limit }) {
      const events = sql('memory_events')
        .where({ workspace_id, deleted: 0 })
        .where('occurred_at', '<=', as_of ?? clock.now().toISOString());
      if (session_id !== undefined) void events.where({ session_id });
      if (project_id !== undefined)
        void events.where((own) => own.where({ project_id }).orWhereNull('project_id'));
      if (as_of !== undefined) void events.where('created_at', '<=', as_of);
      return (await events
        .orderBy('occurred_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .select('id', 'title', 'content', 'occurred_at', { type: 'event_type' })) as RecentEvent[];
    },
  }),
});
