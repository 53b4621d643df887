import type { Migration } from '@service-mcp/core';

/**
 * Indexes that answer pages of large workspaces without a look into the rows: entries by time, counts by day, records of
 * a type (with their newest first), turns of a session, and how many are indexed.
 */
export const indexPages: Migration = {
  id: '005_index_pages',
  async up(sql) {
    const index = (table: string, name: string, columns: readonly string[]) =>
      sql.raw(
        `CREATE INDEX ${table}_${name} ON ${table} (workspace_id, ${columns.join(', ')}) WHERE deleted = 0`,
      );
    for (const [table, time, type] of [
      ['memory_events', 'occurred_at', 'event_type'],
      ['memory_nodes', 'valid_from', 'node_type'],
    ] as const) {
      await index(table, 'by_time', [time, 'id']);
      await index(table, 'by_day', [`substr(${time}, 1, 10)`, type, time]);
      await index(table, 'by_type', [type, time, 'id']);
      await index(table, 'by_status', ['indexing_status']);
    }
    await index('memory_events', 'by_session', ['session_id', 'occurred_at', 'id']);
    await sql.schema.alterTable('memory_events', (table) => table.dropIndex(['workspace_id', 'occurred_at']));
    await sql.schema.alterTable('memory_node_versions', (table) =>
      table.index(['workspace_id', 'node_type', 'recorded_at']),
    );
  },
};
