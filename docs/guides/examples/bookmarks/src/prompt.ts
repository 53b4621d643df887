import { definePrompt } from '@service-mcp/core';
import { Bookmarks } from './bookmarks.js';

export const readingPlan = definePrompt({
  name: 'bookmarks_plan',
  title: 'Plan what to read',
  description: 'Goes through the unread bookmarks and proposes an order to read them in.',
  arguments: [{ name: 'workspace_id', description: 'Workspace id (from workspaces_list)', required: false }],
  access: { scope: 'bookmarks:read', in: 'visible' },
  uses: { bookmarks: Bookmarks },
  async render(_args, { bookmarks }) {
    const { items } = await bookmarks.list({ page: 1, per_page: 20 }, { state: 'unread' });
    const list = items.map(({ id, title, url }) => `- ${title}: ${url} (${id})`).join('\n');
    return [
      { role: 'user', content: { type: 'text', text: `Put these pages in an order to read:\n${list}` } },
    ];
  },
});
