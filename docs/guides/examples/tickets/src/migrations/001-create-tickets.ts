import { addWorkColumns, type Migration } from '@service-mcp/core';

export const createTickets: Migration = {
  id: '001_create_tickets',
  async up(sql) {
    await sql.schema.createTable('tickets', (table) => {
      table.text('id').primary();
      table.text('workspace_id').notNullable();
      table.text('title').notNullable();
      table.text('body').notNullable();
      table.text('state').notNullable();
      table.text('created_at').notNullable();
      table.text('updated_at').notNullable();
    });
    await addWorkColumns(sql, 'tickets'); // its pending rows are the queue of search
  },
};
