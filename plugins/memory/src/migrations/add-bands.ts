import type { Sql } from '@service-mcp/core';
import type { addExactBands } from '../services/duplicates.js';

const PAGE = 200;

/** Adds bands to all living records. They are checked once more, as they are compared now. */
export async function addBandsToAll(sql: Sql, add: typeof addExactBands): Promise<void> {
  for (const table of ['memory_events', 'memory_nodes']) {
    let after = '';
    for (;;) {
      const rows = (await sql(table)
        .where('id', '>', after)
        .where({ deleted: 0 })
        .orderBy('id')
        .limit(PAGE)
        .select('id', 'workspace_id', 'title', 'content')) as Parameters<typeof add>[1];
      const last = rows.at(-1);
      if (!last) break;
      await add(sql, rows);
      after = last.id;
    }
  }
}
