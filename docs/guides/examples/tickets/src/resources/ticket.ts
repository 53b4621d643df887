import { defineResource, type ChangeEvent } from '@service-mcp/core';
import { TicketRepository } from '../services/ticket-repository.js';

const changed = ({ data }: ChangeEvent) => ({ ticket_id: String(data['id']) });

export const ticketResource = defineResource({
  uriTemplate: 'tickets://{ticket_id}',
  name: 'ticket',
  title: 'A ticket',
  description: 'One ticket as Markdown.',
  mimeType: 'text/markdown',
  access: { scope: 'tickets:read', in: { resource: 'ticket', id: 'ticket_id' } },
  uses: { tickets: TicketRepository },
  changedBy: { 'ticket.stale': changed, 'ticket.closed': changed },
  async read({ ticket_id }, { tickets }) {
    const { id, title, state, body } = await tickets.get(ticket_id);
    return [
      {
        uri: `tickets://${id}`,
        mimeType: 'text/markdown',
        text: `# ${title}\n\nState: ${state}\n\n${body}\n`,
      },
    ];
  },
});
