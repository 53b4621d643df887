import { TimeOrDay, closed, nullable } from '@service-mcp/core';
import { MAX_MERGED } from '../services/merging.js';
import { Type, type Static, type TSchema } from 'typebox';
import {
  CheckedCodeRefs,
  Content,
  EdgeContext,
  EventType,
  Importance,
  NODE_STATUSES,
  NodeType,
  Provenance,
  RelationType,
  SessionId,
  Title,
  Weight,
  withDefault,
} from '../schemas.js';

const Reference = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'An id' });
const Author = Type.String({ minLength: 1, maxLength: 200, description: 'A user id' });
const optional = Type.Optional;
const orNull = <T extends TSchema>(schema: T) => withDefault(nullable(schema), null);

const times = {
  created_at: optional(TimeOrDay('When it was stored')),
  updated_at: optional(TimeOrDay('When it was changed')),
};
const shared = {
  project_id: orNull(Reference),
  title: Title,
  content: Content,
  tags: withDefault(
    Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }), {
      maxItems: MAX_MERGED.tags,
      uniqueItems: true,
    }),
    [],
  ),
  metadata: withDefault(
    Type.Object({}, { additionalProperties: true, maxProperties: MAX_MERGED.properties }),
    {},
  ),
  code_refs: withDefault({ ...CheckedCodeRefs, maxItems: MAX_MERGED.code_refs }, []),
  created_by: optional(Author),
};
/** Bytes of the metadata of an imported record, as JSON. */
export const MAX_IMPORTED_METADATA_BYTES = MAX_MERGED.metadataBytes;

/** An event as an export writes it; an import needs `id`, `event_type`, `title` and `content` alone. */
export const EventLine = Type.Object(
  {
    record: Type.Literal('event'),
    id: Reference,
    ...shared,
    session_id: orNull(SessionId),
    event_type: EventType,
    importance: withDefault(Importance, 'medium'),
    provenance: withDefault(Provenance, {}),
    occurred_at: optional(TimeOrDay('When it happened')),
    ...times,
  },
  closed,
);
export type EventLine = Static<typeof EventLine>;

const node = {
  id: Reference,
  ...shared,
  node_type: NodeType,
  confidence: withDefault(Type.Number({ minimum: 0, maximum: 1 }), 1),
  status: withDefault(Type.Enum([...NODE_STATUSES]), 'active'),
  valid_from: optional(TimeOrDay('Since when it is true')),
  valid_to: orNull(TimeOrDay('Until when it was true', 'last')),
  supersedes: orNull(Reference),
  superseded_by: orNull(Reference),
  ...times,
};
/** A node; an import needs `id`, `node_type`, `title` and `content` alone. Its versions follow it. */
export const NodeLine = Type.Object({ record: Type.Literal('node'), ...node }, closed);
export type NodeLine = Static<typeof NodeLine>;

const NodeFields = Type.Object(node, closed);
export type NodeFields = Static<typeof NodeFields>;

/** A version of the node before it in the stream. */
export const VersionLine = Type.Object(
  {
    record: Type.Literal('version'),
    node_id: Reference,
    version: Type.Integer({ minimum: 1, maximum: 2_000_000_000 }),
    recorded_at: TimeOrDay('When it was recorded'),
    recorded_by: optional(Author),
    reason: orNull(Type.String({ maxLength: 2000 })),
    node: NodeFields,
  },
  closed,
);
export type VersionLine = Static<typeof VersionLine>;

/** A relation of two nodes, which are before it in the stream or in the workspace. */
export const EdgeLine = Type.Object(
  {
    record: Type.Literal('edge'),
    id: Reference,
    source_node_id: Reference,
    target_node_id: Reference,
    relation_type: RelationType,
    weight: Weight,
    context: orNull(EdgeContext),
    created_at: optional(TimeOrDay('When it was stored')),
    created_by: optional(Author),
  },
  closed,
);
export type EdgeLine = Static<typeof EdgeLine>;

export const LINES = { event: EventLine, node: NodeLine, version: VersionLine, edge: EdgeLine } as const;
export type MemoryLine = EventLine | NodeLine | VersionLine | EdgeLine;

/** The last line of an export, without which it was cut off: how many lines of each kind came before. */
export const EndLine = Type.Object(
  {
    record: Type.Literal('end'),
    events: Type.Integer(),
    nodes: Type.Integer(),
    versions: Type.Integer(),
    edges: Type.Integer(),
  },
  closed,
);
export type EndLine = Static<typeof EndLine>;
