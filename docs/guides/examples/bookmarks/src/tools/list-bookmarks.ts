import { Page, closed, defineTool, pageText, paging } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { Bookmark, Bookmarks, State } from '../bookmarks.js';

export const listBookmarks = defineTool({
  name: 'bookmarks_list',
  title: 'List bookmarks',
  description: 'Lists the bookmarks that you may see, newest first.',
  input: Type.Object(
    { workspace_id: Type.Optional(WorkspaceId), state: Type.Optional(State), ...paging },
    closed,
  ),
  output: Page(Bookmark),
  effect: 'read',
  level: 'standard',
  access: { scope: 'bookmarks:read', in: 'visible' },
  http: { method: 'GET', path: '/v1/bookmarks' },
  text: (page) => pageText(page, ({ id, title, url, state }) => `${title} ${url} (${state}, id ${id})`),
  uses: { bookmarks: Bookmarks },
  handler: ({ state, page, per_page }, { bookmarks }) => bookmarks.list({ page, per_page }, { state }),
});
