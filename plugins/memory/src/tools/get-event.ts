import { closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { MemoryEvent, MemoryEvents } from '../events.js';
import { eventText } from '../result-text.js';
import { EventId } from '../schemas.js';

export const getEvent = defineTool({
  name: 'memory_get_event',
  title: 'Get a memory event',
  description: 'Returns one memory event with its content and everything that is known about it.',
  input: Type.Object({ event_id: EventId }, closed),
  output: MemoryEvent,
  effect: 'read',
  access: { scope: 'memory:read', in: { resource: 'event', id: 'event_id' } },
  http: { method: 'GET', path: '/v1/memory/events/:event_id' },
  text: eventText,
  uses: { events: MemoryEvents },
  handler: ({ event_id }, { events }) => events.get(event_id),
});
