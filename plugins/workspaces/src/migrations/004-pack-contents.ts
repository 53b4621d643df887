import type { Migration } from '@service-mcp/core';
import { packText } from '../services/packed-text.js';

const ROWS_AT_ONCE = 100;

interface Content {
  readonly workspace_id: string;
  readonly sha256: string;
  readonly content: string;
}

/** Contents are compressed: `packed` in place of `content`. */
export const packContents: Migration = {
  id: '004_pack_contents',
  async up(sql) {
    await sql.schema.createTable('packed_contents', (table) => {
      table.text('workspace_id').notNullable();
      table.text('sha256').notNullable();
      table.binary('packed').notNullable();
      table.primary(['workspace_id', 'sha256']);
    });
    let last: Content | undefined;
    for (;;) {
      const after = last ? [last.workspace_id, last.sha256] : ['', ''];
      const rows = (await sql('file_contents')
        .whereRaw('(workspace_id, sha256) > (?, ?)', after)
        .orderBy(['workspace_id', 'sha256'])
        .limit(ROWS_AT_ONCE)) as Content[];
      last = rows.at(-1);
      if (!last) break;
      const packed = rows.map(async ({ content, ...key }) => ({ ...key, packed: await packText(content) }));
      await sql('packed_contents').insert(await Promise.all(packed));
    }
    await sql.schema.dropTable('file_contents');
    await sql.schema.renameTable('packed_contents', 'file_contents');
  },
};
