import type { Migration } from '@service-mcp/core';

/** Waiting times of files, and a mark on indexing projects: for project.ready and the age of the queue. */
export const queueTimes: Migration = {
  id: '002_queue_times',
  async up(sql) {
    await sql.schema.alterTable('files', (table) => {
      table.text('pending_since').notNullable().defaultTo('');
    });
    await sql.schema.alterTable('projects', (table) => {
      table.integer('indexing').notNullable().defaultTo(0);
    });
    await sql('files')
      .where({ indexing_status: 'pending' })
      .update({ pending_since: new Date().toISOString() });
    await sql('projects')
      .whereExists((files) =>
        files
          .select(sql.raw('1'))
          .from('files')
          .whereRaw('files.project_id = projects.id')
          .where({ indexing_status: 'pending' }),
      )
      .update({ indexing: 1 });
    // Both hold waiting rows alone, so that they stay small. SQLite sees that an index serves by its first column.
    await sql.raw(
      "CREATE INDEX files_waiting ON files (indexing_status, pending_since) WHERE indexing_status = 'pending'",
    );
    await sql.raw('CREATE INDEX projects_indexing ON projects (id) WHERE indexing = 1');
  },
};
