import type { Migration } from '@service-mcp/core';

/** Tokens that a workspace has spent on models in its current day and month (UTC). */
export const createSpend: Migration = {
  id: '001_create_spend',
  async up(sql) {
    await sql.schema.createTable('ai_spend', (table) => {
      table.text('workspace_id').primary();
      table.text('day').notNullable();
      table.integer('day_tokens').notNullable();
      table.text('month').notNullable();
      table.integer('month_tokens').notNullable();
    });
  },
};
