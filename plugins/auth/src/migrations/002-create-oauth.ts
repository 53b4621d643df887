import type { Migration } from '@service-mcp/core';

/**
 * Tables of the authorization server. Codes, tokens and interactions are keyed by a SHA-256 digest, never stored in
 * plain text. Times are milliseconds since the epoch.
 */
export const createOAuth: Migration = {
  id: '002_create_oauth',
  async up(sql) {
    await sql.schema.createTable('oauth_records', (table) => {
      table.text('key').primary();
      table.text('model').notNullable();
      table.text('grant_id').index();
      table.text('user_id').index();
      table.text('client_id');
      table.text('payload').notNullable();
      table.bigInteger('expires_at').notNullable().index();
      table.bigInteger('consumed_at');
      table.text('reply'); // to a refresh, encrypted with the consumed refresh token
    });
    await sql.schema.createTable('oauth_grants', (table) => {
      table.text('id').primary();
      table.text('user_id').notNullable().index();
      table.text('client_id').notNullable();
      table.text('client_name').notNullable();
      table.text('payload').notNullable();
      table.bigInteger('created_at').notNullable();
      table.bigInteger('expires_at').notNullable().index();
    });
    await sql.schema.createTable('oauth_clients', (table) => {
      table.text('id').primary();
      table.text('metadata').notNullable();
      table.bigInteger('used_at').notNullable().index();
    });
    await sql.schema.createTable('oauth_keys', (table) => {
      table.integer('generation').primary();
      table.text('jwk').notNullable();
      table.text('cookie_key').notNullable();
      table.bigInteger('signs_from').notNullable();
    });
  },
};
