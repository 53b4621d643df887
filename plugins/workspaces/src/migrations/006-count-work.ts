import type { Migration } from '@service-mcp/core';

/** Counts of the work of a workspace by consumer and state, without a look into its rows: searches ask each second. */
export const countWork: Migration = {
  id: '006_count_work',
  async up(sql) {
    await sql.schema.alterTable('file_work', (table) => {
      table.index(['workspace_id', 'consumer', 'indexing_status', 'deleted'], 'file_work_by_status');
      table.dropIndex(['workspace_id', 'indexing_status']);
    });
  },
};
