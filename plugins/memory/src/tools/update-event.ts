import { closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { StoredMemoryEvent, MemoryEvents } from '../events.js';
import { eventChanges } from '../inputs.js';
import { eventLine, missingLine, redactedLine } from '../result-text.js';
import { EventId, IfUpdatedAt, checkSizes, utc } from '../schemas.js';
import { checkUnchanged } from '../services/check-unchanged.js';
import { References } from '../services/code-refs.js';
import { Screening } from '../services/screening.js';

export const updateEvent = defineTool({
  name: 'memory_update_event',
  title: 'Change a memory event',
  description: 'Changes fields of a memory event; the others stay. Lists such as tags are replaced whole.',
  input: Type.Object({ event_id: EventId, ...eventChanges, if_updated_at: IfUpdatedAt }, closed),
  output: StoredMemoryEvent,
  effect: 'update',
  access: { scope: 'memory:write', in: { resource: 'event', id: 'event_id' } },
  http: { method: 'PATCH', path: '/v1/memory/events/:event_id' },
  text: ({ redacted, ...event }) =>
    `Changed ${eventLine(event)}${missingLine(event)}${redactedLine(redacted)}`,
  uses: { events: MemoryEvents, references: References, screening: Screening },
  async handler({ event_id, if_updated_at, ...changes }, { events, references, screening }) {
    checkSizes(changes);
    const { values, redacted } = screening.screen(changes);
    const { occurred_at, code_refs, session_id, ...input } = values;
    const { project_id } = await events.get(event_id);
    const changed = {
      ...input,
      ...(session_id !== undefined && { session_id: session_id.trim() === '' ? null : session_id }),
      ...(occurred_at !== undefined && { occurred_at: utc(occurred_at) }),
      ...(code_refs && { code_refs: await references.check(project_id ?? undefined, code_refs) }),
    };
    return events.change(async (own, sql) => {
      await checkUnchanged(sql, 'event', event_id, if_updated_at);
      return { ...(await own.update(event_id, changed, 'memory.event.updated')), ...redacted };
    });
  },
});
