import type { Migration } from '@service-mcp/core';

/** Nodes whose import ended within their history, so that the same lines can complete it. */
export const createUnfinishedHistories: Migration = {
  id: '009_create_unfinished_histories',
  async up(sql) {
    await sql.schema.createTable('memory_unfinished_histories', (table) => {
      table.text('node_id').primary();
      for (const column of ['workspace_id', 'imported_by', 'imported_at']) table.text(column).notNullable();
      for (const column of ['last_version', 'is_implied']) table.integer(column).notNullable();
      table.index(['workspace_id']);
      table.index(['imported_at']);
    });
  },
};
