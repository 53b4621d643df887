import {
  TimeOrDay,
  IndexingStatusFilter,
  Page,
  closed,
  defineTool,
  pageText,
  paging,
  storedStatus,
} from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { MemoryEvent, MemoryEvents } from '../events.js';
import { eventLine } from '../result-text.js';
import { EventType, ProjectId, SessionId, Tags, utc } from '../schemas.js';
import { References } from '../services/code-refs.js';
import { withTags } from '../services/tags.js';

export const listEvents = defineTool({
  name: 'memory_list_events',
  title: 'List memory events',
  description: 'Lists memory events, newest first: of one workspace, or of all that you may see.',
  input: Type.Object(
    {
      workspace_id: Type.Optional(WorkspaceId),
      event_type: Type.Optional({ ...EventType, description: 'Only events of this type' }),
      tags: Type.Optional({ ...Tags, description: 'Only those with all of these tags' }),
      project_id: Type.Optional(ProjectId),
      session_id: Type.Optional(SessionId),
      since: Type.Optional(TimeOrDay('Only those that happened at or after this time')),
      until: Type.Optional(TimeOrDay('Only those that happened before this time', 'next')),
      indexing_status: IndexingStatusFilter,
      ...paging,
    },
    closed,
  ),
  output: Page(MemoryEvent),
  effect: 'read',
  level: 'standard',
  access: { scope: 'memory:read', in: 'visible' },
  http: { method: 'GET', path: '/v1/memory/events/workspace/:workspace_id', also: ['/v1/memory/events'] },
  text: (page) => pageText(page, eventLine),
  uses: { events: MemoryEvents, references: References },
  async handler(
    { event_type, tags = [], project_id, session_id, since, until, indexing_status, ...page },
    { events, references },
  ) {
    const where = { event_type, project_id, session_id, indexing_status: storedStatus(indexing_status) };
    const found = await events.list(page, where, (query) => {
      if (since !== undefined) void query.where('occurred_at', '>=', utc(since));
      if (until !== undefined) void query.where('occurred_at', '<', utc(until));
      withTags(query, 'memory_events', tags);
    });
    return { ...found, items: await references.current(found.items) };
  },
});
