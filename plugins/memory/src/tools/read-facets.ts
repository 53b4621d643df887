import { closed, defineTool, closedAs, oneLine } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { Facets } from '../services/facets.js';

const Values = Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }, closed));

export const readFacets = defineTool({
  name: 'memory_facets',
  title: 'Filters of memory',
  description:
    'Counts the types, tags, sessions and projects of the memory of a workspace, the most frequent first.',
  input: Type.Object({ workspace_id: WorkspaceId }, closed),
  output: Type.Object(
    { event_types: Values, node_types: Values, tags: Values, sessions: Values, projects: Values },
    closedAs('MemoryFacets'),
  ),
  effect: 'read',
  access: { scope: 'memory:read', in: 'workspace' },
  http: { method: 'GET', path: '/v1/memory/facets' },
  text(found) {
    const lines = Object.entries(found)
      .filter(([, values]) => values.length > 0)
      .map(
        ([name, values]) =>
          `${name}: ${values.map(({ value, count }) => `${oneLine(value)} (${count})`).join(', ')}`,
      );
    return lines.length > 0 ? lines.join('\n') : 'The workspace has no memory yet.';
  },
  uses: { facets: Facets },
  handler: (_input, { facets }) => facets.read(),
});
