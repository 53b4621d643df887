import { addWorkColumns, type Migration } from '@service-mcp/core';

/** Pending work of each consumer of file changes; `files` holds the combined status of all consumers. */
export const fileWork: Migration = {
  id: '003_file_work',
  async up(sql) {
    await sql.schema.createTable('file_work', (table) => {
      table.text('consumer').notNullable();
      table.text('id').notNullable();
      table.text('workspace_id').notNullable();
      table.text('project_id').notNullable().index();
      table.integer('bytes').notNullable();
      table.primary(['consumer', 'id']);
      table.index('id');
    });
    await addWorkColumns(sql, 'file_work', ['consumer']);
    const names =
      'id, workspace_id, project_id, bytes, revision, deleted, indexing_status, indexing_error, attempts, ' +
      'next_attempt_at, pending_since';
    await sql.raw(`INSERT INTO file_work (consumer, ${names}) SELECT 'search', ${names} FROM files`);
    for (const index of ['files_indexing_status_attempts_id_index', 'files_waiting'])
      await sql.raw('DROP INDEX ??', [index]);
    for (const column of ['revision', 'attempts', 'next_attempt_at', 'pending_since'])
      await sql.raw('ALTER TABLE files DROP COLUMN ??', [column]);
    // Deletes the contents of deleted workspaces and projects at once: rows no longer have a deleted state.
    const gone = {
      project: sql('projects').whereNotNull('deleted_at').select('id'),
      workspace: sql('workspaces').whereNotNull('deleted_at').select('id'),
    };
    for (const table of ['file_work', 'files']) {
      await sql(table).whereIn('project_id', gone.project.clone()).delete();
      await sql(table).whereIn('workspace_id', gone.workspace.clone()).delete();
    }
    await sql('projects').whereNotNull('deleted_at').delete();
    await sql('projects').whereIn('workspace_id', gone.workspace.clone()).delete();
    await sql('workspaces').whereNotNull('deleted_at').delete();
    await sql.raw('DROP INDEX projects_name');
    await sql.raw('CREATE UNIQUE INDEX projects_name ON projects (workspace_id, name)');
    for (const table of ['projects', 'workspaces'])
      await sql.raw('ALTER TABLE ?? DROP COLUMN deleted_at', [table]);
  },
};
