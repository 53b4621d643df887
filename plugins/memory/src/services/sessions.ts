import { Database, provide, token } from '@service-mcp/core';

/** The sessions that events belong to. */
export interface Sessions {
  /** Ids that begin with a text, those with the newest events first. Callers pass the workspaces that they were admitted to. */
  startingWith(
    start: string,
    where: { readonly workspaceIds: readonly string[]; readonly projectId?: string | undefined },
    limit: number,
  ): Promise<string[]>;
}
export const Sessions = token<Sessions>('memory.Sessions');

export const sessions = provide(Sessions, {
  uses: { database: Database },
  create: ({ database: { sql } }): Sessions => ({
    async startingWith(start, { workspaceIds, projectId }, limit) {
      const events = sql('memory_events')
        .whereIn('workspace_id', workspaceIds)
        .where({ deleted: 0 })
        .whereRaw('substr(session_id, 1, ?) = ?', [Array.from(start).length, start]);
      if (projectId !== undefined) void events.where({ project_id: projectId });
      const newest = sql.raw('max(occurred_at)');
      return (await events
        .groupBy('session_id')
        .orderBy(newest, 'desc')
        .limit(limit)
        .pluck('session_id')) as string[];
    },
  }),
});
