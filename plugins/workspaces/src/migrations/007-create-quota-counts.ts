import type { Migration } from '@service-mcp/core';

/** Counts of what each workspace holds, as far as a quota can limit it. Other plugins add theirs. */
export const createQuotaCounts: Migration = {
  id: '007_create_quota_counts',
  async up(sql) {
    await sql.schema.createTable('quota_counts', (table) => {
      table.text('workspace_id').notNullable();
      table.text('resource').notNullable();
      table.bigInteger('used').notNullable();
      table.primary(['workspace_id', 'resource']);
    });
    for (const [resource, used] of [
      ['files', 'COUNT(*)'],
      ['bytes', 'SUM(bytes)'],
    ] as const)
      await sql.raw(
        `INSERT INTO quota_counts (workspace_id, resource, used)
         SELECT workspace_id, ?, ${used} FROM files WHERE deleted = 0 GROUP BY workspace_id`,
        [resource],
      );
  },
};
