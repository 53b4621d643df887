import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { Ticket } from '../schemas.js';
import { TicketRepository } from '../services/ticket-repository.js';

export const createTicket = defineTool({
  name: 'tickets_create',
  title: 'Create a ticket',
  description: 'Opens a ticket in a workspace. It is found by search as soon as it is indexed.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      title: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'One line' }),
      body: Type.String({ maxLength: 10_000, default: '', description: 'What happened, in any detail' }),
    },
    closed,
  ),
  output: Ticket,
  effect: 'create',
  level: 'standard',
  access: { scope: 'tickets:write', in: 'workspace' },
  http: { method: 'POST', path: '/v1/tickets' },
  uses: { tickets: TicketRepository },
  handler: (input, { tickets }) => tickets.create(input),
});
