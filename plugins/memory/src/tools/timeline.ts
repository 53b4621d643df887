import { TimeOrDay, Page, closed, defineTool, paging, closedAs } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { Bucket, TimelineEntry } from '../answers.js';
import { timelineText } from '../list-texts.js';
import { EventId, EventType, utc } from '../schemas.js';
import { GRANULARITIES, Timeline } from '../services/timeline.js';

export const readTimeline = defineTool({
  name: 'memory_timeline',
  title: 'Memory timeline',
  description: 'What happened and what became true in a workspace, newest first, with counts by time.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      since: Type.Optional(TimeOrDay('From this time on')),
      until: Type.Optional(TimeOrDay('Before this time', 'next')),
      granularity: Type.Optional(
        Type.Enum([...GRANULARITIES], {
          description: 'Of counts; default: the finest of up to 200',
        }),
      ),
      types: Type.Optional(Type.Array(EventType, { maxItems: 50, description: 'Only these types' })),
      around: Type.Optional({ ...EventId, description: 'Event whose page is wanted' }),
      ...paging,
    },
    closed,
  ),
  output: Type.Object(
    {
      ...Page(TimelineEntry).properties,
      granularity: Type.Enum([...GRANULARITIES]),
      buckets: Type.Array(Bucket),
    },
    closedAs('Timeline'),
  ),
  effect: 'read',
  level: 'standard',
  access: { scope: 'memory:read', in: 'workspace' },
  http: { method: 'GET', path: '/v1/memory/search/timeline/:workspace_id' },
  text: timelineText,
  uses: { timeline: Timeline },
  handler: (
    { workspace_id: _workspace, since, until, types = [], around, granularity, ...request },
    { timeline },
  ) =>
    timeline.read({
      ...request,
      types,
      around,
      granularity,
      since: since === undefined ? undefined : utc(since),
      until: until === undefined ? undefined : utc(until),
    }),
});
