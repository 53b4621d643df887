import { Id, RecordSchema, closed, provideRecords, recordEvents, token } from '@service-mcp/core';
import type { Records, WorkRow } from '@service-mcp/core';
import { indexRecords } from '@service-mcp/plugin-search/contract';
import { Type, type Static } from 'typebox';

const text = Type.String();
export const State = Type.Enum(['unread', 'read', 'stale'], { description: 'The state of a bookmark' });
export const Bookmark = RecordSchema({ url: text, title: text, notes: text, state: State }, 'Bookmark');
export type Bookmark = Static<typeof Bookmark>;
export const OneBookmark = Type.Object({ bookmark_id: Id('Bookmark', 'bookmarks_list') }, closed);

/** The bookmarks that one call may see and change. */
export const Bookmarks = token<Records<Bookmark>>('bookmarks.Bookmarks');

export const bookmarks = provideRecords(Bookmarks, {
  table: 'bookmarks',
  resource: 'bookmark',
  listedBy: 'bookmarks_list',
  schema: Bookmark,
  scope: 'bookmarks:read',
  unique: ['workspace_id', 'url'],
});

export const bookmarkSource = indexRecords<Bookmark & WorkRow>({
  kind: 'bookmark',
  table: 'bookmarks',
  document: ({ id, title, url, notes, state }) => ({
    path: `bookmarks://${id}`, // what a result is called, so that a client can read it
    title,
    text: `${url}\n\n${notes}`,
    tags: [state],
  }),
});

export const eventTypes = recordEvents('bookmarks:read', {
  'bookmark.created': 'A bookmark was created.',
  'bookmark.read': 'A bookmark was marked as read.',
  'bookmark.stale': 'A bookmark was unread for too long.',
  'bookmark.deleted': 'A bookmark was deleted.',
});
