import type { Migration } from '@service-mcp/core';

export const createGraph: Migration = {
  id: '001_create_graph',
  async up(sql) {
    await sql.schema.createTable('graph_projects', (table) => {
      table.text('project_id').primary();
      table.text('workspace_id').notNullable().index();
      table.integer('generation').notNullable();
      table.text('version').notNullable();
      table.integer('resolve_ms').notNullable();
    });
    await sql.schema.createTable('graph_files', (table) => {
      table.text('file_id').primary();
      table.text('workspace_id').notNullable();
      table.text('project_id').notNullable();
      table.text('path').notNullable();
      table.text('language');
      table.text('structure');
      table.text('note');
      table.integer('changed').notNullable();
      table.text('part_hash').notNullable();
      table.binary('part').notNullable(); // last: SQLite reads the columns before it without it
      table.index(['project_id', 'changed']);
      table.index(['workspace_id', 'structure']);
    });
    await sql.schema.createTable('graph_structures', (table) => {
      table.text('workspace_id').notNullable();
      table.text('hash').notNullable();
      table.binary('packed').notNullable();
      table.primary(['workspace_id', 'hash']);
    });
  },
};
