import { closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { MemoryEvent, MemoryEvents } from '../events.js';
import { eventChanges } from '../inputs.js';
import { eventLine } from '../result-text.js';
import { EventId, checkSizes, utc } from '../schemas.js';
import { References } from '../services/code-refs.js';

export const updateEvent = defineTool({
  name: 'memory_update_event',
  title: 'Change a memory event',
  description: 'Changes fields of a memory event; the others stay. Lists such as tags are replaced whole.',
  input: Type.Object({ event_id: EventId, ...eventChanges }, closed),
  output: MemoryEvent,
  effect: 'update',
  access: { scope: 'memory:write', in: { resource: 'event', id: 'event_id' } },
  http: { method: 'PATCH', path: '/v1/memory/events/:event_id' },
  text: (event) => `Changed ${eventLine(event)}`,
  uses: { events: MemoryEvents, references: References },
  async handler({ event_id, occurred_at, code_refs, ...input }, { events, references }) {
    checkSizes(input);
    const { project_id } = await events.get(event_id);
    const changed = {
      ...input,
      ...(occurred_at !== undefined && { occurred_at: utc(occurred_at) }),
      ...(code_refs && { code_refs: await references.check(project_id ?? undefined, code_refs) }),
    };
    return events.update(event_id, changed, 'memory.event.updated');
  },
});
