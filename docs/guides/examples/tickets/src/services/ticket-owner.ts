import { rowOwner } from '@service-mcp/core';

/** Says which workspace a ticket is in, so that calls on a ticket are admitted there. */
export const ticketOwner = rowOwner({ resource: 'ticket', table: 'tickets', listedBy: 'tickets_list' });
