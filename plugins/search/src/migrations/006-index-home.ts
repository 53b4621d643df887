import type { Migration } from '@service-mcp/core';

/** Where the indexes live: an id that their folder carries, and the address by which it was claimed. */
export const indexHome: Migration = {
  id: '006_index_home',
  async up(sql) {
    await sql.schema.alterTable('search_index', (table) => {
      table.text('home').notNullable().defaultTo('');
      table.text('address').notNullable().defaultTo('');
    });
  },
};
