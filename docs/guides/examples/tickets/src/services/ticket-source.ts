import { workspaceRows, type WorkRow } from '@service-mcp/core';
import { indexRecords } from '@service-mcp/plugin-search/contract';
import type { Ticket } from '../schemas.js';

export type TicketRow = Omit<Ticket, 'indexing_status'> & WorkRow;

/** Has search index tickets: its pending rows are the queue. */
export const ticketSource = indexRecords<TicketRow>({
  kind: 'ticket',
  table: 'tickets',
  document: ({ title, body, state }) => ({ title, text: body, tags: [state] }),
});

/** Tickets are counted in the overview of their workspace, exported with it and erased with it. */
export const ticketData = workspaceRows([
  {
    table: 'tickets',
    record: 'ticket',
    columns: ['id', 'title', 'body', 'state', 'created_at', 'updated_at'],
  },
]);
