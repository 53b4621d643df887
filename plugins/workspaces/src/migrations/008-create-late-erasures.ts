import type { Migration } from '@service-mcp/core';

/** Deletions that a plugin has to follow once it is enabled again. */
export const createLateErasures: Migration = {
  id: '008_create_late_erasures',
  async up(sql) {
    await sql.schema.createTable('late_erasures', (table) => {
      table.text('plugin').notNullable();
      table.text('scope').notNullable();
      table.text('id').notNullable();
      table.text('workspace_id').notNullable();
      table.primary(['plugin', 'scope', 'id']);
    });
  },
};
