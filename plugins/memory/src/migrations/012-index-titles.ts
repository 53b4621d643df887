import type { Migration } from '@service-mcp/core';

/** Each new node is compared with those of its title. */
export const indexTitles: Migration = {
  id: '012_index_titles',
  async up(sql) {
    await sql.raw(
      'CREATE INDEX memory_nodes_by_title ON memory_nodes (workspace_id, lower(title)) WHERE deleted = 0',
    );
  },
};
