import { defineResource, type ChangeEvent } from '@service-mcp/core';
import { Bookmarks } from './bookmarks.js';

const changed = ({ data }: ChangeEvent) => ({ bookmark_id: String(data['id']) });

export const bookmarkResource = defineResource({
  uriTemplate: 'bookmarks://{bookmark_id}',
  name: 'bookmark',
  title: 'A bookmark',
  description: 'One bookmark as Markdown.',
  mimeType: 'text/markdown',
  access: { scope: 'bookmarks:read', in: { resource: 'bookmark', id: 'bookmark_id' } },
  uses: { bookmarks: Bookmarks },
  changedBy: { 'bookmark.read': changed, 'bookmark.stale': changed, 'bookmark.deleted': changed },
  async read({ bookmark_id }, { bookmarks }) {
    const { title, url, state, notes } = await bookmarks.get(bookmark_id);
    const text = `# ${title}\n\n${url}\n\nState: ${state}\n\n${notes}\n`;
    return [{ uri: `bookmarks://${bookmark_id}`, mimeType: 'text/markdown', text }];
  },
});
