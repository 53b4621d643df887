import { addUniqueIndex, createRecordTable, type Migration } from '@service-mcp/core';

export const createBookmarks: Migration = {
  id: '001_create_bookmarks',
  async up(sql) {
    await createRecordTable(sql, 'bookmarks', (table) => {
      for (const column of ['url', 'title', 'notes', 'state']) table.text(column).notNullable();
    });
    await addUniqueIndex(sql, 'bookmarks', ['workspace_id', 'url']);
  },
};
