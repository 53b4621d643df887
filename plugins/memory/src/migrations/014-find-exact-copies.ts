import type { Migration } from '@service-mcp/core';
import { addExactBands } from '../services/duplicates.js';

const PAGE = 200;

/** Bands of exact copies. All records are checked once more, as they are compared now. */
export const findExactCopies: Migration = {
  id: '014_find_exact_copies',
  async up(sql) {
    for (const table of ['memory_events', 'memory_nodes']) {
      let after = '';
      for (;;) {
        const rows = (await sql(table)
          .where('id', '>', after)
          .where({ deleted: 0 })
          .orderBy('id')
          .limit(PAGE)
          .select('id', 'workspace_id', 'title', 'content')) as Parameters<typeof addExactBands>[1];
        const last = rows.at(-1);
        if (!last) break;
        await addExactBands(sql, rows);
        after = last.id;
      }
    }
  },
};
