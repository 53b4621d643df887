import type { Migration } from '@service-mcp/core';

/** Where files are whose paths are gone. */
export const createFileMoves: Migration = {
  id: '010_create_file_moves',
  async up(sql) {
    await sql.schema.createTable('file_moves', (table) => {
      table.text('workspace_id').notNullable().index();
      table.text('project_id').notNullable();
      table.text('path').notNullable();
      table.text('moved_to').notNullable();
      table.primary(['project_id', 'path']);
      table.index(['project_id', 'moved_to']);
    });
  },
};
