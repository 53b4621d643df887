import { defineTool } from '@service-mcp/core';
import { Bookmark, Bookmarks, OneBookmark } from '../bookmarks.js';

export const markReadBookmark = defineTool({
  name: 'bookmarks_mark_read',
  title: 'Mark a bookmark as read',
  description: 'Marks a bookmark as read. A second call changes nothing.',
  input: OneBookmark,
  output: Bookmark,
  effect: 'update',
  level: 'standard',
  access: { scope: 'bookmarks:write', in: { resource: 'bookmark', id: 'bookmark_id' } },
  http: { method: 'POST', path: '/v1/bookmarks/:bookmark_id/read' },
  uses: { bookmarks: Bookmarks },
  handler: ({ bookmark_id: id }, { bookmarks }) => bookmarks.update(id, { state: 'read' }, 'bookmark.read'),
});
