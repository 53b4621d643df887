import type { Migration } from '@service-mcp/core';

/** The counts of events and nodes that quotas limit. */
export const countRecords: Migration = {
  id: '007_count_records',
  async up(sql) {
    for (const resource of ['events', 'nodes'])
      await sql.raw(
        `INSERT INTO quota_counts (workspace_id, resource, used)
         SELECT workspace_id, ?, COUNT(*) FROM ?? WHERE deleted = 0 GROUP BY workspace_id`,
        [resource, `memory_${resource}`],
      );
  },
};
