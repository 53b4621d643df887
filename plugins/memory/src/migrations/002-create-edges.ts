import type { Migration } from '@service-mcp/core';

export const createEdges: Migration = {
  id: '002_create_edges',
  async up(sql) {
    await sql.schema.createTable('memory_edges', (table) => {
      table.text('id').primary();
      for (const column of ['source_node_id', 'target_node_id', 'relation_type'])
        table.text(column).notNullable();
      for (const column of ['workspace_id', 'created_at', 'created_by']) table.text(column).notNullable();
      table.double('weight').notNullable();
      table.text('context');
      table.unique(['source_node_id', 'target_node_id', 'relation_type']);
      table.index(['target_node_id']);
      table.index(['workspace_id', 'id']);
    });
    await sql.schema.alterTable('memory_nodes', (table) => table.index(['superseded_by']));
    await sql.schema.alterTable('memory_changes', (table) => {
      table.text('moved_edges').notNullable().defaultTo('[]');
    });
  },
};
