import { Clock, Events, Metrics, WorkQueues, defineWorker, provide, token } from '@service-mcp/core';
import { config } from './config.js';

const MAX_ROWS = 100;
const MarkStale = token<() => Promise<{ more: boolean }>>('bookmarks.MarkStale');

/** Marks up to 100 bookmarks that are unread for too long, in any workspace. */
export const staleBookmarks = provide(MarkStale, {
  uses: { events: Events, clock: Clock, queues: WorkQueues, metrics: Metrics, settings: config.token },
  create({ events, clock, queues, metrics, settings }) {
    const queue = queues.open({ name: 'bookmarks', table: 'bookmarks' });
    const count = metrics.counter({ name: 'bookmarks_stale_total', help: 'Bookmarks marked as stale' });
    return async () => {
      const before = new Date(clock.now().getTime() - settings.stale_after_seconds * 1000).toISOString();
      const marked = await events.change(async (sql, record) => {
        const unread = sql('bookmarks').where({ state: 'unread', deleted: 0 });
        const due = unread.clone().where('updated_at', '<', before).limit(MAX_ROWS).select('id');
        const changed = { state: 'stale', ...queue.changed(sql) };
        const rows = await unread.whereIn('id', due).update(changed).returning(['id', 'workspace_id']);
        for (const { id, workspace_id } of rows)
          record({ type: 'bookmark.stale', workspaceId: workspace_id, data: { id } });
        return rows.length;
      });
      count(marked);
      return { more: marked === MAX_ROWS };
    };
  },
});

export const staleWorker = defineWorker({
  id: 'bookmarks.mark-stale',
  uses: { markStale: MarkStale, settings: config.token },
  everyMs: ({ settings }) => Math.min(settings.stale_after_seconds * 100, 3_600_000), // at least once an hour
  exclusive: true,
  run: ({ markStale }) => markStale(),
});
