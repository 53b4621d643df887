import type { Migration } from '@service-mcp/core';

/**
 * An index for each workspace. What the shared index of before holds is indexed again, and that index answers meanwhile:
 * no chunker has an empty version, so that the first round makes every document pending.
 */
export const workspaceIndexes: Migration = {
  id: '003_workspace_indexes',
  async up(sql) {
    await sql.schema.createTable('search_indexes', (table) => {
      table.text('workspace_id').primary();
      table.integer('generation').notNullable();
      table.text('marker').notNullable();
      table.integer('serving').notNullable();
      table.integer('documents').notNullable();
      table.integer('chunks').notNullable();
      table.integer('vectors').notNullable();
      table.text('created_at').notNullable();
    });
    await sql.schema.alterTable('search_drops', (table) => {
      table.text('index_of').notNullable().defaultTo('');
      table.integer('generation').notNullable().defaultTo(0);
    });
    await sql('search_index').update({ chunker_version: '' });
  },
};
