import type { Migration } from '@service-mcp/core';

/** Names and last uses, by which people know their logins and applications again. */
export const credentialUse: Migration = {
  id: '003_credential_use',
  async up(sql) {
    await sql.schema.alterTable('sessions', (table) => {
      table.text('name').notNullable().defaultTo('');
      table.text('last_used_at');
    });
    await sql.schema.alterTable('oauth_grants', (table) => {
      table.text('last_used_at');
    });
  },
};
