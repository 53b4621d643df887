import { Timestamp, nullable, recordEvents, closedAs } from '@service-mcp/core';
import { Type, type Static } from 'typebox';
import { RELATION_TYPES } from './schemas.js';

/** A relation from one knowledge node to another of the same workspace; at most one of each type. */
export const KnowledgeEdge = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    source_node_id: Type.String(),
    target_node_id: Type.String(),
    relation_type: Type.Enum([...RELATION_TYPES]),
    weight: Type.Number(),
    context: nullable(Type.String()),
    created_at: Timestamp,
    created_by: Type.String(),
  },
  closedAs('KnowledgeEdge'),
);
export type KnowledgeEdge = Static<typeof KnowledgeEdge>;

/** Edges that are deleted or restored with their node have no events of their own. */
export const changesOfEdges = recordEvents('memory:read', {
  'memory.edge.created': 'Two knowledge nodes were related.',
  'memory.edge.updated': 'A relation has another weight or context, or moved to the node that a merge kept.',
  'memory.edge.deleted': 'A relation of two knowledge nodes was removed.',
});
