import type { Migration } from '@service-mcp/core';

/** Whether the deletion of workspaces was requested with that of an account. */
export const addErasureRequest: Migration = {
  id: '007_erasure_request',
  async up(sql) {
    await sql.schema.alterTable('account_erasures', (table) => {
      table.integer('delete_workspaces').notNullable().defaultTo(0);
    });
  },
};
