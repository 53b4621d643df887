import { Database, ResourceOwners, contribute, idsStartingWith, rowOwner } from '@service-mcp/core';
import { KINDS } from './kinds.js';

/** What answers with the ids of changes. */
export const CHANGES = 'the answer of memory_merge, memory_delete_many or memory_keep_apart';

export const changeOwner = rowOwner({
  resource: 'change',
  table: 'memory_changes',
  listedBy: CHANGES,
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
    async startingWith(start, workspaceIds, limit) {
      const found = Object.values(KINDS).map(({ table }) => {
        const living = sql(table).where({ deleted: 0 }).whereIn('workspace_id', workspaceIds);
        return idsStartingWith(living, 'title', { start, limit });
      });
      return (await Promise.all(found)).flat().toSorted().toReversed().slice(0, limit);
    },
  }),
});
