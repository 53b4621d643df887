import type { Migration } from '@service-mcp/core';

/** Deleted accounts of which data may be left: see `later-erasures.ts`. */
export const createAccountErasures: Migration = {
  id: '006_account_erasures',
  async up(sql) {
    await sql.schema.createTable('account_erasures', (table) => {
      table.text('user_id').notNullable();
      table.text('plugin').notNullable();
      table.text('due_at').notNullable().index();
      table.primary(['user_id', 'plugin']);
    });
  },
};
