import type { Migration } from '@service-mcp/core';

export const createSearch: Migration = {
  id: '001_create_search',
  async up(sql) {
    await sql.schema.createTable('search_index', (table) => {
      table.text('id').primary();
      table.integer('generation').notNullable();
      table.text('marker').notNullable();
      table.text('chunker_version').notNullable();
      table.text('held_until').notNullable();
      table.text('created_at').notNullable();
    });
    await sql.schema.createTable('search_spaces', (table) => {
      table.text('workspace_id').notNullable();
      table.text('space_id').notNullable();
      table.text('kind').notNullable();
      table.text('state').notNullable();
      table.integer('dimensions').notNullable();
      table.integer('chunks').notNullable();
      table.integer('generation').notNullable();
      table.text('cursor').notNullable();
      table.text('since').notNullable();
      table.primary(['workspace_id', 'space_id']);
    });
    await sql.schema.createTable('search_models', (table) => {
      table.text('space_id').notNullable();
      table.integer('part').notNullable();
      table.text('data').notNullable();
      table.primary(['space_id', 'part']);
    });
  },
};
