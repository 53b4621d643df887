import { definePlugin } from '@service-mcp/core';
import { bookmarkSource, bookmarks, eventTypes } from './bookmarks.js';
import { config } from './config.js';
import { staleBookmarks, staleWorker } from './mark-stale.js';
import { createBookmarks } from './migrations/001-create-bookmarks.js';
import { readingPlan } from './prompt.js';
import { bookmarkResource } from './resource.js';
import { createBookmark } from './tools/create-bookmark.js';
import { deleteBookmark } from './tools/delete-bookmark.js';
import { getBookmark } from './tools/get-bookmark.js';
import { listBookmarks } from './tools/list-bookmarks.js';
import { markReadBookmark } from './tools/mark-read-bookmark.js';

const tools = [createBookmark, listBookmarks, getBookmark, markReadBookmark, deleteBookmark];

export default definePlugin({
  id: 'bookmarks',
  description: 'Bookmarks of a workspace.',
  api: '^1',
  requires: ['workspaces', 'search'],
  config,
  migrations: [createBookmarks],
  services: [...bookmarks, bookmarkSource, staleBookmarks],
  workers: [staleWorker],
  events: eventTypes,
  resources: [bookmarkResource],
  prompts: [readingPlan],
  toolsets: [{ id: 'bookmarks', description: 'Keep and read bookmarks of a workspace.', tools }],
  views: [
    {
      id: 'bookmarks',
      title: 'Bookmarks',
      icon: 'star',
      list: 'bookmarks_list',
      columns: ['title', 'url', 'state', 'updated_at'],
      create: 'bookmarks_create',
      actions: [{ tool: 'bookmarks_mark_read', label: 'Mark as read', with: { bookmark_id: 'id' } }],
      remove: { tool: 'bookmarks_delete', label: 'Delete', with: { bookmark_id: 'id' } },
      refresh_on: ['bookmark.'],
    },
  ],
});
