import { definePrompt } from '@service-mcp/core';
import { TicketRepository } from '../services/ticket-repository.js';

export const triage = definePrompt({
  name: 'tickets_triage',
  title: 'Triage the open tickets',
  description: 'Goes through the open tickets of a workspace and proposes an order of work.',
  arguments: [{ name: 'workspace_id', description: 'Workspace id (from workspaces_list)', required: false }],
  access: { scope: 'tickets:read', in: 'visible' },
  uses: { tickets: TicketRepository },
  async render(_args, { tickets }) {
    const { items } = await tickets.list({ state: 'open' }, { page: 1, per_page: 20 });
    const list = items.map(({ id, title }) => `- ${title} (${id})`).join('\n');
    return [
      {
        role: 'user',
        content: { type: 'text', text: `Put these tickets in an order of work, and say why:\n${list}` },
      },
    ];
  },
});
