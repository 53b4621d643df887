import { TimeOrDay, closed, defineTool, closedAs } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { AskedIndex, MemoryHit } from '../answers.js';
import { searchText } from '../list-texts.js';
import { EventType, NodeType, ProjectId, utc } from '../schemas.js';
import type { Kind } from '../services/kinds.js';
import { MemorySearch, type MemoryRequest } from '../services/memory-search.js';

const flag = (initial: boolean, description: string) => Type.Boolean({ default: initial, description });

export const searchMemory = defineTool({
  name: 'memory_search',
  title: 'Search memory',
  description:
    'Finds events and knowledge nodes of a workspace by meaning and words. A superseded node is found as its successor; as_of answers with what was held true then.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      query: Type.String({ minLength: 1, maxLength: 4000, description: 'What to find' }),
      project_id: Type.Optional(ProjectId),
      kinds: Type.Array(Type.Enum(['event', 'node']), {
        minItems: 1,
        maxItems: 2,
        uniqueItems: true,
        default: ['event', 'node'],
        description: 'Events, nodes or both',
      }),
      event_types: Type.Array(EventType, {
        maxItems: 50,
        default: [],
        description: 'Only events of these types',
      }),
      node_types: Type.Array(NodeType, {
        maxItems: 9,
        default: [],
        description: 'Only nodes of these types',
      }),
      as_of: Type.Optional(TimeOrDay('As it was held true at this time', 'within')),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Max results' }),
      min_score: Type.Number({ minimum: 0, maximum: 2, default: 0, description: 'Min score' }),
      content_max_chars: Type.Integer({
        minimum: 50,
        maximum: 10_000,
        default: 800,
        description: 'Text of a result',
      }),
      include_superseded: flag(false, 'Also nodes that were superseded, below their successors'),
      by_recency: flag(true, 'Newer and more important records count for up to a fifth more'),
    },
    closed,
  ),
  output: Type.Object(
    {
      results: Type.Array(MemoryHit),
      total: Type.Integer({ description: 'How many were found, up to some hundreds' }),
      took_ms: Type.Integer(),
      index: AskedIndex,
      warnings: Type.Array(Type.String()),
    },
    closedAs('MemorySearchOutput'),
  ),
  effect: 'read',
  level: 'light',
  access: { scope: 'memory:read', in: 'workspace' },
  http: { method: 'POST', path: '/v1/memory/search' },
  text: searchText,
  uses: { search: MemorySearch },
  async handler({ as_of, kinds, ...request }, { search }, call) {
    const started = performance.now();
    const time = as_of === undefined ? undefined : utc(as_of);
    const {
      period: _period,
      type: _type,
      ...found
    } = await search.find({ ...request, kinds: kindsOfTypes(kinds, request), as_of: time }, call);
    return { ...found, took_ms: Math.round(performance.now() - started) };
  },
});

/** The kinds that are left where types of one of them alone are asked for. */
function kindsOfTypes(
  kinds: readonly Kind[],
  { event_types, node_types }: Pick<MemoryRequest, 'event_types' | 'node_types'>,
): readonly Kind[] {
  if (kinds.length === 1 || (event_types.length === 0) === (node_types.length === 0)) return kinds;
  return [event_types.length > 0 ? 'event' : 'node'];
}
