import type { Migration } from '@service-mcp/core';
import type { CheckedCodeRefs } from '../schemas.js';
import { addCodePlaces } from '../services/code-places.js';

const PAGE = 500;

/** The files that records are about, so that they can be found by them. */
export const codePlaces: Migration = {
  id: '006_code_places',
  async up(sql) {
    await sql.schema.createTable('memory_code_places', (table) => {
      for (const column of ['record_id', 'workspace_id', 'path_key']) table.text(column).notNullable();
      table.primary(['workspace_id', 'path_key', 'record_id']);
      table.index(['record_id']);
    });
    for (const table of ['memory_events', 'memory_nodes']) {
      let after = '';
      for (;;) {
        const rows = (await sql(table)
          .where('id', '>', after)
          .whereNot({ code_refs: '[]' })
          .where({ deleted: 0 })
          .orderBy('id')
          .limit(PAGE)
          .select('id', 'workspace_id', 'code_refs')) as Array<{
          id: string;
          workspace_id: string;
          code_refs: string;
        }>;
        const records = rows.map((row) => ({
          ...row,
          code_refs: JSON.parse(row.code_refs) as CheckedCodeRefs,
        }));
        await addCodePlaces(sql, records);
        const last = rows.at(-1);
        if (!last) break;
        after = last.id;
      }
    }
  },
};
