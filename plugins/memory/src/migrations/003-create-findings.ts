import type { Migration } from '@service-mcp/core';

export const createFindings: Migration = {
  id: '003_create_findings',
  async up(sql) {
    await sql.schema.createTable('memory_findings', (table) => {
      for (const column of ['record_id', 'other_id', 'kind', 'record_kind', 'workspace_id', 'reason'])
        table.text(column).notNullable();
      table.primary(['record_id', 'kind', 'other_id']);
      table.index(['other_id']);
      table.index(['workspace_id', 'kind', 'record_kind', 'record_id']);
    });
    await sql.schema.createTable('memory_unchecked', (table) => {
      table.text('record_id').primary();
      table.text('workspace_id').notNullable();
      table.index(['workspace_id', 'record_id']);
    });
    for (const table of ['memory_events', 'memory_nodes'])
      await sql('memory_unchecked').insert(
        sql(table).where({ deleted: 0 }).select({ record_id: 'id' }, 'workspace_id'),
      );
  },
};
