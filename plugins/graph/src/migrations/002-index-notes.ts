import type { Migration } from '@service-mcp/core';

/** A metric counts the files without symbols: few of many. */
export const indexNotes: Migration = {
  id: '002_index_notes',
  async up(sql) {
    await sql.raw('CREATE INDEX graph_files_noted ON graph_files (workspace_id) WHERE note IS NOT NULL');
  },
};
