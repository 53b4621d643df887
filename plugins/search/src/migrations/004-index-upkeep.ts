import type { Migration } from '@service-mcp/core';

/** What the maintenance and training of an index go by, so that any process can do them. */
export const indexUpkeep: Migration = {
  id: '004_index_upkeep',
  async up(sql) {
    await sql.schema.alterTable('search_indexes', (table) => {
      table.integer('writes').notNullable().defaultTo(0);
      table.integer('written_rows').notNullable().defaultTo(0);
      table.text('written_at').notNullable().defaultTo('');
      table.text('clean_at').notNullable().defaultTo('');
      table.text('train_after').notNullable().defaultTo('');
    });
  },
};
