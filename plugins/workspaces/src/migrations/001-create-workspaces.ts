import type { Migration } from '@service-mcp/core';

export const createWorkspaces: Migration = {
  id: '001_create_workspaces',
  async up(sql) {
    await sql.schema.createTable('workspaces', (table) => {
      table.text('id').primary();
      table.text('name').notNullable();
      table.text('description').notNullable();
      table.text('created_at').notNullable();
      table.text('updated_at').notNullable();
      table.text('deleted_at');
    });
    await sql.schema.createTable('memberships', (table) => {
      table.text('id').primary();
      table.text('workspace_id').notNullable();
      table.text('user_id').notNullable().index();
      table.text('role').notNullable();
      table.text('created_at').notNullable();
      table.unique(['workspace_id', 'user_id']);
    });
    await sql.schema.createTable('projects', (table) => {
      table.text('id').primary();
      table.text('workspace_id').notNullable().index();
      table.text('name').notNullable();
      table.text('description').notNullable();
      table.text('repository_url');
      table.text('created_at').notNullable();
      table.text('updated_at').notNullable();
      table.text('ingested_at');
      table.text('deleted_at');
    });
    await sql.raw(
      'CREATE UNIQUE INDEX projects_name ON projects (workspace_id, name) WHERE deleted_at IS NULL',
    );
    await sql.schema.createTable('file_contents', (table) => {
      table.text('workspace_id').notNullable();
      table.text('sha256').notNullable();
      table.text('content').notNullable();
      table.primary(['workspace_id', 'sha256']);
    });
    await sql.schema.createTable('files', (table) => {
      table.text('id').primary();
      table.text('workspace_id').notNullable();
      table.text('project_id').notNullable();
      table.text('path').notNullable();
      table.text('language');
      table.text('sha256').notNullable();
      table.integer('bytes').notNullable();
      table.integer('lines').notNullable();
      table.text('modified_at').notNullable();
      table.text('commit_sha');
      table.integer('deleted').notNullable();
      table.integer('revision').notNullable();
      table.text('indexing_status').notNullable();
      table.text('indexing_error');
      table.integer('attempts').notNullable();
      table.text('next_attempt_at').notNullable();
      table.integer('chunks').notNullable();
      table.text('indexed_at');
      table.unique(['project_id', 'path']);
      table.index(['indexing_status', 'attempts', 'id']); // the order in which work is claimed
      table.index(['workspace_id', 'indexing_status']);
      table.index(['project_id', 'indexing_status']);
      table.index(['workspace_id', 'sha256']);
    });
  },
};
