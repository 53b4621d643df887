import { closed, type EventType } from '@service-mcp/core';
import { Type } from 'typebox';

const data = Type.Object({ id: Type.String({ description: 'Ticket id' }) }, closed);

/** What is recorded of tickets: ids alone, never what is in one. */
export const eventTypes: readonly EventType[] = [
  { type: 'ticket.created', description: 'A ticket was opened.', scope: 'tickets:read', data },
  { type: 'ticket.stale', description: 'Nobody changed a ticket for too long.', scope: 'tickets:read', data },
  { type: 'ticket.closed', description: 'A ticket was closed.', scope: 'tickets:read', data },
];
