import { closed, defineTool, closedAs } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { RecordId } from '../schemas.js';
import { KeptApart } from '../services/kept-apart.js';

export const keepApart = defineTool({
  name: 'memory_keep_apart',
  title: 'Keep similar memories apart',
  description:
    'Marks similar records as not duplicates, so that memory_hygiene no longer reports them. memory_undo with the change_id reverts this.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      ids: Type.Array(RecordId, {
        minItems: 2,
        maxItems: 20,
        uniqueItems: true,
        description: 'Ids of events, or of nodes: every two of them are kept apart',
      }),
    },
    closed,
  ),
  output: Type.Object(
    { change_id: Type.String(), kept_apart: Type.Array(Type.String()) },
    closedAs('RecordsKeptApart'),
  ),
  effect: 'update',
  destructive: false,
  access: { scope: 'memory:write', in: 'workspace' },
  http: { method: 'POST', path: '/v1/memory/keep-apart' },
  text: ({ change_id, kept_apart }) =>
    `Kept ${kept_apart.length} apart. To take it back: memory_undo with change_id ${change_id}`,
  uses: { keptApart: KeptApart },
  handler: ({ ids }, { keptApart }) => keptApart.keep(ids),
});
