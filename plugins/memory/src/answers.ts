import { Timestamp, closed, nullable, closedAs } from '@service-mcp/core';
import { hitParts } from '@service-mcp/plugin-search/contract';
import { Type, type Static } from 'typebox';
import { CheckedCodeRefs, NODE_STATUSES } from './schemas.js';

/** Records that say the same, the most similar first. */
export const Duplicates = Type.Array(Type.Object({ id: Type.String(), similarity: Type.Number() }, closed));

/** Nodes in force that resemble a node and differ in a number or a negation, the most similar first; then decisions that it leaves. */
export const Contradictions = Type.Array(Type.Object({ id: Type.String(), title: Type.String() }, closed));

/** The state of the index that a search asked. */
export const AskedIndex = Type.Object(
  { state: Type.String(), generation: Type.Integer(), pending: Type.Integer() },
  closed,
);
export type AskedIndex = Static<typeof AskedIndex>;

const PerhapsReplacedBy = nullable(
  Type.String({ description: 'Of a decision: a later one that says it leaves what this one is about' }),
);

export const TimelineEntry = Type.Object(
  {
    occurred_at: Timestamp,
    kind: Type.Enum(['event', 'node']),
    type: Type.String(),
    id: Type.String(),
    title: Type.String(),
    summary: Type.String(),
    links: Type.Array(Type.Object({ relation: Type.String(), id: Type.String() }, closed)),
  },
  closedAs('TimelineEntry'),
);
export type TimelineEntry = Static<typeof TimelineEntry>;
export const Bucket = Type.Object(
  {
    start: Type.String({ description: 'The first day, or the month' }),
    count: Type.Integer(),
    by_type: Type.Object({}, { additionalProperties: Type.Integer() }),
  },
  closedAs('TimelineBucket'),
);
export type Bucket = Static<typeof Bucket>;

export const Decision = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['event', 'node'], {
      description: 'An event is what was decided then, without a lifecycle',
    }),
    title: Type.String(),
    summary: Type.String(),
    rationale: Type.String(),
    status: Type.Enum([...NODE_STATUSES]),
    decided_at: Timestamp,
    superseded_by: nullable(Type.String()),
    perhaps_replaced_by: PerhapsReplacedBy,
    related: Type.Array(Type.Object({ id: Type.String(), relation_type: Type.String() }, closed)),
    code_refs: CheckedCodeRefs,
  },
  closedAs('Decision'),
);
export type Decision = Static<typeof Decision>;

export const FINDING_KINDS = ['duplicate', 'contradiction', 'junk', 'stale'] as const;

export const Finding = Type.Object(
  {
    kind: Type.Enum(FINDING_KINDS),
    record_kind: Type.Enum(['event', 'node'], { description: 'What the ids are of' }),
    ids: Type.Array(Type.String()),
    titles: Type.Array(Type.String(), { description: 'Of the ids, in their order' }),
    reason: Type.String(),
    suggestion: Type.String(),
  },
  closedAs('HygieneFinding'),
);
export type Finding = Static<typeof Finding>;

export const MemoryHit = Type.Object(
  {
    kind: Type.Enum(['event', 'node']),
    id: Type.String(),
    type: Type.String(),
    title: Type.String(),
    content: Type.String(),
    truncated: Type.Boolean(),
    score: Type.Number(),
    ...hitParts,
    occurred_at: Timestamp,
    status: nullable(Type.String({ description: 'Of a node' })),
    validity: nullable(
      Type.Enum(['past', 'current', 'future'], {
        description: 'Of a node: whether it is valid at the time asked for',
      }),
    ),
    perhaps_replaced_by: PerhapsReplacedBy,
  },
  closedAs('MemoryHit'),
);
export type MemoryHit = Static<typeof MemoryHit>;
