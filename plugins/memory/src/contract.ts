import { rowOwner, type Provider, type Records, type Token } from '@service-mcp/core';
import { KnowledgeNodes as WritableNodes, type KnowledgeNode as Node } from './nodes.js';

/**
 * Contributes the owner of the resource `edge`, for tools that take the id of a knowledge edge. `listedBy` is the tool
 * that lists the ids.
 */
export function edgeOwner(listedBy: string): Provider {
  return rowOwner({ resource: 'edge', table: 'memory_edges', listedBy });
}

/** Knowledge nodes to read. To write, call the tools of memory, which check texts, scopes and quotas. */
export const KnowledgeNodes: Token<Pick<Records<Node>, 'get' | 'list'>> = WritableNodes;

export { KnowledgeEdge } from './edges.js';
export { KnowledgeNode } from './nodes.js';
export { EdgeContext, RELATION_TYPES, RelationType, Weight } from './schemas.js';
export {
  KnowledgeByCode,
  type CodeDecision,
  type CodePlace,
  type SharedCode,
} from './services/knowledge-by-code.js';
export { RecentEvents, type RecentEvent } from './services/recent-events.js';
export { KnowledgeEdges, type Relation } from './services/knowledge-edges.js';
export { MemorySearch, type MemoryRequest } from './services/memory-search.js';
export { repeats } from './services/similarity.js';
export type { MemoryHit } from './answers.js';
export { AS_OF_LATER, isInForce, standingOf } from './standing.js';
