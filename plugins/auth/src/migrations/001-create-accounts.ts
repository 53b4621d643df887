import type { Migration } from '@service-mcp/core';

export const createAccounts: Migration = {
  id: '001_create_accounts',
  async up(sql) {
    await sql.schema.createTable('users', (table) => {
      table.text('id').primary();
      table.text('email').notNullable().unique(); // lower case
      table.text('name').notNullable();
      table.text('password_hash');
      table.integer('administrator').notNullable();
      table.text('created_at').notNullable();
      table.text('disabled_at');
    });
    await sql.schema.createTable('api_keys', (table) => {
      table.text('id').primary();
      table.text('user_id').notNullable().index();
      table.text('parent_id').index(); // the key that created it
      table.text('name').notNullable();
      table.text('key_id').notNullable().unique(); // the public part of the key
      table.text('digest').notNullable();
      table.text('scopes').notNullable();
      table.text('workspace_id');
      table.text('created_at').notNullable();
      table.text('expires_at');
      table.text('last_used_at');
      table.text('revoked_at');
    });
    await sql.schema.createTable('sessions', (table) => {
      table.text('id').primary();
      table.text('user_id').notNullable().index();
      table.text('cookie_digest').unique(); // of a browser's session
      table.text('created_at').notNullable();
      table.text('expires_at').notNullable().index();
    });
    await sql.schema.createTable('session_tokens', (table) => {
      table.text('digest').primary();
      table.text('session_id').notNullable().index();
      table.text('kind').notNullable();
      table.text('expires_at').notNullable().index();
      table.text('consumed_at');
    });
    await sql.schema.createTable('reset_tokens', (table) => {
      table.text('digest').primary();
      table.text('user_id').notNullable().index();
      table.text('expires_at').notNullable().index();
    });
    await sql.schema.createTable('invitations', (table) => {
      table.text('id').primary();
      table.text('digest').notNullable().unique();
      table.text('email').notNullable().index();
      table.text('workspace_id').index();
      table.text('role');
      table.text('invited_by').notNullable();
      table.text('created_at').notNullable();
      table.text('expires_at').notNullable().index();
      table.text('accepted_at');
    });
    await sql.schema.createTable('audit_log', (table) => {
      table.text('id').primary();
      table.text('at').notNullable().index();
      table.text('user_id').notNullable();
      table.text('credential_kind').notNullable();
      table.text('credential_id');
      table.text('surface').notNullable();
      table.text('peer');
      table.text('request_id').notNullable();
      table.text('action').notNullable();
      table.text('workspace_id');
      table.text('outcome').notNullable();
      table.index(['user_id', 'at']);
      table.index(['workspace_id', 'at']);
    });
  },
};
