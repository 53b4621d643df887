import { Database, ResourceOwners, contribute, rowOwner } from '@service-mcp/core';
import { KINDS } from './kinds.js';

export const changeOwner = rowOwner({
  resource: 'change',
  table: 'memory_changes',
  listedBy: 'memory_merge',
});

/** An event or a node, where a tool takes either. */
export const memoryOwner = contribute(ResourceOwners, {
  uses: { database: Database },
  create: ({ database: { sql } }) => ({
    resource: 'memory',
    listedBy: 'memory_search',
    async workspaceOf(id) {
      for (const { table } of Object.values(KINDS)) {
        const row: { workspace_id: string } | undefined = await sql(table)
          .where({ id })
          .first('workspace_id');
        if (row) return row.workspace_id;
      }
      return undefined;
    },
  }),
});
