import { closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { MemoryEvent, MemoryEvents } from '../events.js';
import { ContentFrom, contentFrom } from '../content-from.js';
import { eventText } from '../result-text.js';
import { EventId } from '../schemas.js';
import { References } from '../services/code-refs.js';

export const getEvent = defineTool({
  name: 'memory_get_event',
  title: 'Get a memory event',
  description: 'Returns a memory event with its content and all its fields.',
  input: Type.Object({ event_id: EventId, content_from: ContentFrom }, closed),
  output: MemoryEvent,
  effect: 'read',
  access: { scope: 'memory:read', in: { resource: 'event', id: 'event_id' } },
  http: { method: 'GET', path: '/v1/memory/events/:event_id' },
  text: eventText,
  uses: { events: MemoryEvents, references: References },
  async handler({ event_id, content_from }, { events, references }) {
    const event = await events.get(event_id);
    const [now = event] = await references.current([event]);
    return contentFrom(now, content_from);
  },
});
