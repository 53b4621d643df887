import type { Migration } from '@service-mcp/core';

/** Exports read a workspace in the order of ids. */
export const orderExports: Migration = {
  id: '004_order_exports',
  async up(sql) {
    for (const name of ['memory_events', 'memory_nodes'])
      await sql.schema.alterTable(name, (table) => table.index(['workspace_id', 'id']));
  },
};
