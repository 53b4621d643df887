import type { Migration } from '@service-mcp/core';

/** Deleted workspaces and projects whose rows have still to leave the index. */
export const indexDrops: Migration = {
  id: '002_index_drops',
  async up(sql) {
    await sql.schema.createTable('search_drops', (table) => {
      table.text('scope').notNullable();
      table.text('id').notNullable();
      table.primary(['scope', 'id']);
    });
  },
};
