import { closed, definePlugin, defineTool } from '@service-mcp/core';
import { KnowledgeByCode } from '@service-mcp/plugin-memory/contract';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';

const inWorkspace = { scope: 'memory:read', in: 'workspace' } as const;
const uses = { byCode: KnowledgeByCode };
const Text = Type.String({ description: 'An id' });
const Limit = Type.Optional(Type.Integer({ description: 'How many' }));
const Place = Type.Object({ path: Text, symbol: Type.Optional(Text) }, closed);
const CodeDecision = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['event', 'node']),
    title: Type.String(),
    summary: Type.String(),
    content: Type.String(),
    status: Type.Enum(['active', 'superseded', 'disputed', 'verified']),
    decided_at: Type.String(),
    perhaps_replaced_by: Type.Union([Type.String(), Type.Null()]),
    places: Type.Array(Type.Object({ path: Type.String(), symbol: Type.Optional(Type.String()) }, closed)),
  },
  closed,
);
const Shared = Type.Object(
  { source_node_id: Type.String(), target_node_id: Type.String(), weight: Type.Number() },
  closed,
);

/** Tools over the contract of memory, as another plugin has them. */
export const codeTools = definePlugin({
  id: 'code',
  description: 'Tries memory by the code that it is about.',
  api: '^1',
  requires: ['memory'],
  toolsets: [
    {
      id: 'code',
      description: 'Tries memory by the code that it is about.',
      tools: [
        defineTool({
          name: 'code_decisions',
          title: 'Decisions',
          description: 'Decisions about places in code.',
          input: Type.Object(
            {
              workspace_id: WorkspaceId,
              in_project: Text,
              places: Type.Array(Place, { description: 'Where' }),
              limit: Limit,
            },
            closed,
          ),
          output: Type.Object({ items: Type.Array(CodeDecision), total: Type.Integer() }, closed),
          effect: 'read',
          access: inWorkspace,
          uses,
          async handler(
            { workspace_id: workspaceId, in_project: projectId, places, limit = 10 },
            { byCode },
          ) {
            const { items, total } = await byCode.decisions({ workspaceId, projectId }, places, limit);
            return { items: items.map((item) => ({ ...item, places: [...item.places] })), total };
          },
        }),
        defineTool({
          name: 'code_sharing',
          title: 'Sharing',
          description: 'Nodes about the same code.',
          input: Type.Object(
            { workspace_id: WorkspaceId, ids: Type.Array(Text, { description: 'Ids' }), limit: Limit },
            closed,
          ),
          output: Type.Object({ items: Type.Array(Shared) }, closed),
          effect: 'read',
          access: inWorkspace,
          uses,
          handler: async ({ ids, limit = 10 }, { byCode }) => ({
            items: [...(await byCode.sharing(ids, limit))],
          }),
        }),
      ],
    },
  ],
});
