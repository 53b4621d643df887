import type { Migration } from '@service-mcp/core';

/** Counts of files by status are asked for again and again while they are indexed: the index alone answers them now. */
export const coverFileCounts: Migration = {
  id: '009_cover_file_counts',
  async up(sql) {
    await sql.schema.alterTable('files', (table) => {
      table.dropIndex(['workspace_id', 'indexing_status']);
      table.dropIndex(['project_id', 'indexing_status']);
      table.index(['workspace_id', 'indexing_status', 'deleted', 'indexed_at'], 'files_of_workspace');
      table.index(
        ['project_id', 'indexing_status', 'deleted', 'indexed_at', 'workspace_id'],
        'files_of_project',
      );
    });
  },
};
