import { closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { Ticket, TicketId } from '../schemas.js';
import { TicketRepository } from '../services/ticket-repository.js';

export const closeTicket = defineTool({
  name: 'tickets_close',
  title: 'Close a ticket',
  description: 'Closes a ticket. Closing it again changes nothing.',
  input: Type.Object({ ticket_id: TicketId }, closed),
  output: Ticket,
  effect: 'update',
  level: 'standard',
  access: { scope: 'tickets:write', in: { resource: 'ticket', id: 'ticket_id' } },
  http: { method: 'POST', path: '/v1/tickets/:ticket_id/close' },
  uses: { tickets: TicketRepository },
  handler: ({ ticket_id }, { tickets }) => tickets.close(ticket_id),
});
