import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { Bookmark, Bookmarks } from '../bookmarks.js';

export const createBookmark = defineTool({
  name: 'bookmarks_create',
  title: 'Create a bookmark',
  description:
    'Keeps the address of a page in a workspace. Returns the existing bookmark of the same address.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      url: Type.String({ maxLength: 2000, pattern: '^https?://[!-~]+$', description: 'Address of the page' }),
      title: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'One line' }),
      notes: Type.String({ maxLength: 10_000, default: '', description: 'Why it is worth reading' }),
    },
    closed,
  ),
  output: Bookmark,
  effect: 'create',
  idempotent: true,
  level: 'standard',
  access: { scope: 'bookmarks:write', in: 'workspace' },
  http: { method: 'POST', path: '/v1/bookmarks' },
  uses: { bookmarks: Bookmarks },
  handler: ({ url, title, notes }, { bookmarks }) =>
    bookmarks.create({ url, title, notes, state: 'unread' }, 'bookmark.created'),
});
