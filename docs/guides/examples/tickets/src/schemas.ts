import { Id, Timestamp, closed } from '@service-mcp/core';
import { Type, type Static } from 'typebox';

export const TicketId = Id('Ticket', 'tickets_list');
export const State = Type.Enum(['open', 'stale', 'closed'], { description: 'The state of a ticket' });

export const Ticket = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    title: Type.String(),
    body: Type.String(),
    state: State,
    created_at: Timestamp,
    updated_at: Timestamp,
    indexing_status: Type.Enum(['pending', 'indexed', 'failed']),
  },
  closed,
);
export type Ticket = Static<typeof Ticket>;
