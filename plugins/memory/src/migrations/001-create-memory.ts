import { createRecordTable, type Migration } from '@service-mcp/core';

/** Columns that events and nodes share; arrays and objects are JSON. */
const SHARED = ['title', 'content', 'tags', 'metadata', 'code_refs', 'created_by'] as const;

export const createMemory: Migration = {
  id: '001_create_memory',
  async up(sql) {
    await createRecordTable(sql, 'memory_events', (table) => {
      for (const column of [...SHARED, 'event_type', 'importance', 'provenance', 'occurred_at'])
        table.text(column).notNullable();
      for (const column of ['project_id', 'session_id']) table.text(column);
      table.index(['workspace_id', 'occurred_at']);
    });
    await createRecordTable(sql, 'memory_nodes', (table) => {
      for (const column of [...SHARED, 'node_type', 'status', 'valid_from']) table.text(column).notNullable();
      for (const column of ['project_id', 'valid_to', 'supersedes', 'superseded_by']) table.text(column);
      table.double('confidence').notNullable();
    });
    await sql.schema.createTable('memory_node_versions', (table) => {
      table.text('node_id').notNullable();
      table.integer('version').notNullable();
      table.text('workspace_id').notNullable();
      table.text('recorded_at').notNullable();
      table.text('recorded_by').notNullable();
      table.text('reason');
      for (const column of ['node_type', 'status', 'valid_from']) table.text(column).notNullable();
      table.text('valid_to');
      table.text('node').notNullable();
      table.primary(['node_id', 'version']);
      table.index(['workspace_id', 'recorded_at']);
    });
    await sql.schema.createTable('memory_bands', (table) => {
      table.text('record_id').notNullable().index();
      table.text('workspace_id').notNullable();
      table.integer('band').notNullable();
      table.primary(['workspace_id', 'band', 'record_id']);
    });
    await sql.schema.createTable('memory_changes', (table) => {
      table.text('id').primary();
      table.text('workspace_id').notNullable().index();
      table.text('kind').notNullable();
      table.text('changed_at').notNullable();
      table.text('changed_by').notNullable();
      table.text('undone_at');
      table.text('before').notNullable();
    });
    await sql.schema.createTable('memory_tags', (table) => {
      table.text('record_id').notNullable();
      table.text('tag').notNullable();
      table.text('workspace_id').notNullable();
      table.primary(['record_id', 'tag']);
      table.index(['workspace_id', 'tag']);
    });
  },
};
