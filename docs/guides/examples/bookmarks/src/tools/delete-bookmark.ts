import { defineTool } from '@service-mcp/core';
import { Bookmark, Bookmarks, OneBookmark } from '../bookmarks.js';

export const deleteBookmark = defineTool({
  name: 'bookmarks_delete',
  title: 'Delete a bookmark',
  description: 'Deletes a bookmark; search no longer finds it. Returns it as it was.',
  input: OneBookmark,
  output: Bookmark,
  effect: 'delete',
  level: 'standard',
  access: { scope: 'bookmarks:write', in: { resource: 'bookmark', id: 'bookmark_id' } },
  http: { method: 'DELETE', path: '/v1/bookmarks/:bookmark_id' },
  uses: { bookmarks: Bookmarks },
  handler: ({ bookmark_id }, { bookmarks }) => bookmarks.remove(bookmark_id, 'bookmark.deleted'),
});
