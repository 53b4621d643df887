import type { Migration } from '@service-mcp/core';

/**
 * The trigram index of patterns, and texts in SQL alone. Every document is indexed again (see 003), which fills the
 * index.
 */
export const trigrams: Migration = {
  id: '005_trigrams',
  async up(sql) {
    await sql.schema.createTable('search_segments', (table) => {
      table.bigIncrements('id');
      table.text('workspace_id').notNullable().index();
      table.integer('documents').notNullable();
      table.integer('bits').notNullable();
      table.integer('bytes').notNullable();
      table.text('document_ids').notNullable();
      table.text('expires_at').notNullable();
    });
    await sql.schema.createTable('search_postings', (table) => {
      table.bigIncrements('id');
      table.binary('data').notNullable();
    });
    await sql('search_index').update({ chunker_version: '' });
  },
};
