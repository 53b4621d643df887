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
import { CheckedCodeRefs, NODE_STATUSES, NODE_TYPES } from './schemas.js';
import { followCodePlaces } from './services/code-places.js';
import { followBands } from './services/duplicates.js';
import { followLeftTerms } from './services/left-terms.js';
import { eraseKeptApart } from './services/apart-store.js';
import { eraseEdges } from './services/edge-store.js';
import { followVersions } from './services/node-versions.js';
import { followTags } from './services/tags.js';

export const KnowledgeNode = RecordSchema(
  {
    project_id: nullable(Type.String()),
    node_type: Type.Enum([...NODE_TYPES]),
    title: Type.String(),
    content: Type.String(),
    tags: Type.Array(Type.String()),
    metadata: Type.Object({}, { additionalProperties: true }),
    confidence: Type.Number(),
    status: Type.Enum([...NODE_STATUSES]),
    valid_from: Timestamp,
    valid_to: nullable(Timestamp),
    supersedes: nullable(Type.String()),
    superseded_by: nullable(Type.String()),
    code_refs: CheckedCodeRefs,
    created_by: Type.String(),
  },
  'KnowledgeNode',
);
export type KnowledgeNode = Static<typeof KnowledgeNode>;
/** As it was stored, with what was taken out of it. */
export const StoredKnowledgeNode = Type.Object(
  { ...KnowledgeNode.properties, ...redactedField },
  closedAs('StoredKnowledgeNode'),
);

/** The knowledge nodes that one call may see and change. */
export const KnowledgeNodes = token<Records<KnowledgeNode>>('memory.Nodes');

export const nodes = provideRecords(KnowledgeNodes, {
  table: 'memory_nodes',
  resource: 'node',
  listedBy: 'memory_search',
  schema: KnowledgeNode,
  counted: 'nodes',
  quota: 'nodes',
  exported: false,
  named: 'title',
  mistaken: {
    table: 'memory_events',
    where: { deleted: 0 },
    hint: 'it is an event, which memory_list_events lists and which stays as it happened; memory_create_node records what holds now',
  },
  async follow(sql, node, change, { caller }) {
    await followTags(sql, node, change);
    await followCodePlaces(sql, node, change);
    await followBands(sql, node, change);
    await followLeftTerms(sql, node, change);
    await followVersions(sql, node, change, caller.userId);
    if (change !== 'removed') return;
    await eraseEdges(sql, [node.id]);
    await eraseKeptApart(sql, [node.id]);
  },
});

export const nodeSource = indexRecords<KnowledgeNode & WorkRow>({
  kind: 'node',
  table: 'memory_nodes',
  searchedByDefault: false,
  scope: 'memory:read',
  schema: KnowledgeNode,
  size: 'octet_length(content)',
  document: ({ title, content, tags, status, superseded_by }) => {
    const standing = superseded_by === null ? status : `${status} by ${superseded_by}`;
    return { title, text: content, tags, ...(status !== 'active' && { standing }) };
  },
});

export const changesOfNodes = recordEvents('memory:read', {
  'memory.node.created': 'A knowledge node was created.',
  'memory.node.updated': 'A knowledge node was changed.',
  'memory.node.superseded': 'A knowledge node was replaced by another one.',
  'memory.node.restored': 'The deletion of a knowledge node was undone.',
  'memory.node.deleted': 'A knowledge node was deleted.',
});
