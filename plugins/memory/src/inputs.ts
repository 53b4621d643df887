import { TimeOrDay } from '@service-mcp/core';
import { Type } from 'typebox';
import {
  ClearableSessionId,
  ClearableTime,
  CodeRefs,
  Content,
  EventType,
  Importance,
  Metadata,
  NodeType,
  ProjectId,
  Provenance,
  Relations,
  SessionId,
  Tags,
  Title,
  withDefault,
} from './schemas.js';

const optional = Type.Optional;

/** The arguments of a new event, with their defaults. */
export const newEvent = {
  event_type: EventType,
  title: Title,
  content: Content,
  project_id: optional(ProjectId),
  session_id: optional(SessionId),
  importance: Type.Enum(['low', 'medium', 'high', 'critical'], {
    default: 'medium',
    description: 'How much it matters',
  }),
  tags: withDefault(Tags, []),
  metadata: withDefault(Metadata, {}),
  provenance: withDefault(Provenance, {}),
  code_refs: withDefault(CodeRefs, []),
  occurred_at: optional(TimeOrDay('When it happened; default: now')),
};

/** The arguments that change an event. */
export const eventChanges = {
  event_type: optional(EventType),
  title: optional(Title),
  content: optional(Content),
  session_id: optional(ClearableSessionId),
  importance: optional(Importance),
  tags: optional(Tags),
  metadata: optional(Metadata),
  provenance: optional(Provenance),
  code_refs: optional(CodeRefs),
  occurred_at: optional(TimeOrDay('When it happened')),
};

const confidence = { minimum: 0, maximum: 1, description: 'Certainty, 0 to 1' };

/** The arguments of a new node, with their defaults. */
export const newNode = {
  node_type: NodeType,
  title: Title,
  content: Content,
  project_id: optional(ProjectId),
  tags: withDefault(Tags, []),
  metadata: withDefault(Metadata, {}),
  confidence: Type.Number({ ...confidence, default: 1 }),
  status: Type.Enum(['active', 'disputed', 'verified'], {
    default: 'active',
    description: 'Status',
  }),
  valid_from: optional(TimeOrDay('Since when it is true; default: now')),
  valid_to: optional(TimeOrDay('Until when it was true; default: it still is', 'last')),
  code_refs: withDefault(CodeRefs, []),
  relations: withDefault(Relations, []),
};

/** The argument that says what becomes of a record where another one says the same; `what` is that one. */
export function onDuplicate(what: string) {
  return Type.Enum(['keep', 'merge', 'reject'], {
    default: 'keep',
    description: `Where ${what} says the same: keep both, merge without loss, or refuse`,
  });
}

/** The arguments that change a node; its status has tools of its own. */
export const nodeChanges = {
  node_type: optional(NodeType),
  title: optional(Title),
  content: optional(Content),
  tags: optional(Tags),
  metadata: optional(Metadata),
  confidence: optional(Type.Number(confidence)),
  valid_from: optional(TimeOrDay('Since when it is true')),
  valid_to: optional(ClearableTime('Until when it was true', 'last')),
  code_refs: optional(CodeRefs),
};
