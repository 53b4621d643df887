import type { Migration } from '@service-mcp/core';
import { noteRemoved } from '../services/removed-records.js';
import { removedRecords, type ChangeRow } from '../services/snapshots.js';

/** Which changes can bring a record back, without a look at their snapshots. */
export const createRemovedRecords: Migration = {
  id: '013_create_removed_records',
  async up(sql) {
    await sql.schema.createTable('memory_removed_records', (table) => {
      for (const column of ['record_id', 'change_id', 'workspace_id']) table.text(column).notNullable();
      table.primary(['record_id', 'change_id']);
      table.index(['change_id']);
      table.index(['workspace_id']);
    });
    const changes = () => sql<ChangeRow>('memory_changes').where({ undone_at: null });
    for (const id of await changes().whereNot({ kind: 'keep_apart' }).pluck('id')) {
      const change = await changes().where({ id }).first('id', 'workspace_id', 'before'); // of megabytes
      if (change) await noteRemoved(sql, change, removedRecords(change.before));
    }
  },
};
