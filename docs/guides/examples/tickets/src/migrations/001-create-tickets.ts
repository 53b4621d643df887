import type { Migration } from '@service-mcp/core';

export const createTickets: Migration = {
  id: '001_create_tickets',
  async up(sql) {
    await sql.schema.createTable('tickets', (table) => {
      table.text('id').primary();
      table.text('workspace_id').notNullable().index();
      table.text('title').notNullable();
      table.text('body').notNullable();
      table.text('state').notNullable();
      table.text('created_at').notNullable();
      table.text('updated_at').notNullable();
      table.integer('revision').notNullable();
      table.text('indexing_status').notNullable().index();
      table.integer('attempts').notNullable();
    });
  },
};
