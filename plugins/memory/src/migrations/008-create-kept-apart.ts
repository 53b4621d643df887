import type { Migration } from '@service-mcp/core';

/** Pairs of records that resemble each other and were judged different. Each pair has a row from either record. */
export const createKeptApart: Migration = {
  id: '008_create_kept_apart',
  async up(sql) {
    await sql.schema.createTable('memory_kept_apart', (table) => {
      for (const column of ['record_id', 'other_id', 'workspace_id', 'change_id', 'decided_at', 'decided_by'])
        table.text(column).notNullable();
      table.primary(['record_id', 'other_id']);
      table.index(['other_id']);
      table.index(['workspace_id', 'record_id']);
      table.index(['change_id']);
    });
  },
};
