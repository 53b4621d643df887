import { defineTool } from '@service-mcp/core';
import { Bookmark, Bookmarks, OneBookmark } from '../bookmarks.js';

export const getBookmark = defineTool({
  name: 'bookmarks_get',
  title: 'Get a bookmark',
  description: 'Returns one bookmark with its notes.',
  input: OneBookmark,
  output: Bookmark,
  effect: 'read',
  level: 'standard',
  access: { scope: 'bookmarks:read', in: { resource: 'bookmark', id: 'bookmark_id' } },
  http: { method: 'GET', path: '/v1/bookmarks/:bookmark_id' },
  uses: { bookmarks: Bookmarks },
  handler: ({ bookmark_id }, { bookmarks }) => bookmarks.get(bookmark_id),
});
