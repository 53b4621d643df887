import type { Migration } from '@service-mcp/core';

/** Finds the nodes that changed since a time without a look at all of them. */
export const orderChanges: Migration = {
  id: '010_order_changes',
  async up(sql) {
    await sql.schema.alterTable('memory_nodes', (table) => table.index(['workspace_id', 'updated_at']));
  },
};
