import type { Migration } from '@service-mcp/core';
import { addLeftTerms } from '../services/left-terms.js';

const PAGE = 500;

/** What decisions say that they leave, so that the ones before them can be found. */
export const createLeftTerms: Migration = {
  id: '011_create_left_terms',
  async up(sql) {
    await sql.schema.createTable('memory_left_terms', (table) => {
      for (const column of ['record_id', 'workspace_id', 'term']) table.text(column).notNullable();
      table.primary(['workspace_id', 'term', 'record_id']);
      table.index(['record_id']);
    });
    for (const [table, type] of [
      ['memory_events', 'event_type'],
      ['memory_nodes', 'node_type'],
    ] as const) {
      let after = '';
      for (;;) {
        const rows = (await sql(table)
          .where('id', '>', after)
          .where({ [type]: 'decision', deleted: 0 })
          .orderBy('id')
          .limit(PAGE)
          .select('id', 'workspace_id', type, 'title', 'content')) as Parameters<typeof addLeftTerms>[1];
        await addLeftTerms(sql, rows);
        const last = rows.at(-1);
        if (!last) break;
        after = last.id;
      }
    }
  },
};
