import { Id, closedAs } from '@service-mcp/core';
import { RELATION_TYPES } from '@service-mcp/plugin-memory/contract';
import { Type, type Static } from 'typebox';

export const NodeId = Id('Knowledge node', 'memory_list_nodes', 'memory_search');

export const RelatedNode = Type.Object(
  {
    id: Type.String(),
    kind: Type.Literal('node'),
    type: Type.String({ description: 'Its node_type' }),
    title: Type.String(),
    status: Type.String(),
    depth: Type.Integer({ description: 'Steps from the requested node' }),
    score: Type.Number({
      description: 'Product of weights along the best path, less with each step; 0 to 1',
    }),
  },
  closedAs('RelatedNode'),
);
export type RelatedNode = Static<typeof RelatedNode>;

export const RelatedEdge = Type.Object(
  {
    source: Type.String(),
    target: Type.String(),
    relation_type: Type.Enum([...RELATION_TYPES]),
    weight: Type.Number(),
    origin: Type.Enum(['explicit', 'semantic', 'code'], {
      description: 'explicit: stated; semantic: similar or contradicting texts; code: about the same code',
    }),
  },
  closedAs('RelatedEdge'),
);
export type RelatedEdge = Static<typeof RelatedEdge>;
