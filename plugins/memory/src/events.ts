import {
  RecordSchema,
  Timestamp,
  nullable,
  provideRecords,
  recordEvents,
  token,
  type Records,
  type WorkRow,
  closedAs,
} from '@service-mcp/core';
import { redactedField } from '@service-mcp/plugin-secrets/contract';
import { indexRecords } from '@service-mcp/plugin-search/contract';
import { Type, type Static } from 'typebox';
import { CheckedCodeRefs, IMPORTANCE, Provenance } from './schemas.js';
import { followCodePlaces } from './services/code-places.js';
import { followBands } from './services/duplicates.js';
import { followLeftTerms } from './services/left-terms.js';
import { eraseKeptApart } from './services/apart-store.js';
import { followTags } from './services/tags.js';

export const MemoryEvent = RecordSchema(
  {
    project_id: nullable(Type.String()),
    session_id: nullable(Type.String()),
    event_type: Type.String(),
    title: Type.String(),
    content: Type.String(),
    importance: Type.Enum([...IMPORTANCE]),
    tags: Type.Array(Type.String()),
    metadata: Type.Object({}, { additionalProperties: true }),
    provenance: Provenance,
    code_refs: CheckedCodeRefs,
    occurred_at: Timestamp,
    created_by: Type.String(),
  },
  'MemoryEvent',
);
export type MemoryEvent = Static<typeof MemoryEvent>;
/** As it was stored, with what was taken out of it. */
export const StoredMemoryEvent = Type.Object(
  { ...MemoryEvent.properties, ...redactedField },
  closedAs('StoredMemoryEvent'),
);

/** The memory events that one call may see and change. */
export const MemoryEvents = token<Records<MemoryEvent>>('memory.Events');

export const events = provideRecords(MemoryEvents, {
  table: 'memory_events',
  resource: 'event',
  listedBy: 'memory_list_events',
  schema: MemoryEvent,
  counted: 'events',
  quota: 'events',
  exported: false,
  named: 'title',
  newestBy: 'occurred_at',
  mistaken: {
    table: 'memory_nodes',
    where: { deleted: 0 },
    hint: 'it is a knowledge node, which memory_get_node shows',
  },
  async follow(sql, event, change) {
    await followTags(sql, event, change);
    await followCodePlaces(sql, event, change);
    await followBands(sql, event, change);
    await followLeftTerms(sql, event, change);
    if (change === 'removed') await eraseKeptApart(sql, [event.id]);
  },
});

export const eventSource = indexRecords<MemoryEvent & WorkRow>({
  kind: 'event',
  table: 'memory_events',
  searchedByDefault: false,
  scope: 'memory:read',
  schema: MemoryEvent,
  size: 'octet_length(content)',
  document: ({ title, content, tags }) => ({ title, text: content, tags }),
});

export const changesOfEvents = recordEvents('memory:read', {
  'memory.event.created': 'A memory event was stored.',
  'memory.event.updated': 'A memory event was changed.',
  'memory.event.restored': 'The deletion of a memory event was undone.',
  'memory.event.deleted': 'A memory event was deleted.',
});
