import { closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { MemoryEvents } from '../events.js';
import { Deleted, EventId } from '../schemas.js';

export const deleteEvent = defineTool({
  name: 'memory_delete_event',
  title: 'Delete a memory event',
  description: 'Deletes one memory event; search no longer finds it.',
  input: Type.Object({ event_id: EventId }, closed),
  output: Deleted,
  effect: 'delete',
  access: { scope: 'memory:write', in: { resource: 'event', id: 'event_id' } },
  http: { method: 'DELETE', path: '/v1/memory/events/:event_id' },
  uses: { events: MemoryEvents },
  async handler({ event_id }, { events }) {
    const { id } = await events.remove(event_id, 'memory.event.deleted');
    return { id, deleted: true as const };
  },
});
