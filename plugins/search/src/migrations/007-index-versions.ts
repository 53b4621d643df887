import type { Migration } from '@service-mcp/core';

/** The versions that the tables of an index had when they were last written, so that older files are found out. */
export const indexVersions: Migration = {
  id: '007_index_versions',
  async up(sql) {
    await sql.schema.alterTable('search_indexes', (table) => {
      table.text('versions').notNullable().defaultTo('');
    });
  },
};
