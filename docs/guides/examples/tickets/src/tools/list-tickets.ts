import { Page, closed, defineTool, paging } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { State, Ticket } from '../schemas.js';
import { TicketRepository } from '../services/ticket-repository.js';

export const listTickets = defineTool({
  name: 'tickets_list',
  title: 'List tickets',
  description: 'Lists the tickets that you may see, newest first.',
  input: Type.Object(
    { workspace_id: Type.Optional(WorkspaceId), state: Type.Optional(State), ...paging },
    closed,
  ),
  output: Page(Ticket),
  effect: 'read',
  level: 'standard',
  access: { scope: 'tickets:read', in: 'visible' },
  http: { method: 'GET', path: '/v1/tickets' },
  uses: { tickets: TicketRepository },
  handler: ({ page, per_page, state }, { tickets }) =>
    tickets.list({ ...(state && { state }) }, { page, per_page }),
});
