import { Id, invalidArgument, closedAs, type DayMeans } from '@service-mcp/core';
import { Type, type Static } from 'typebox';

export const WORDS_OF_EVENTS =
  'note, decision, preference, insight, task, bug, feature, plan, correction, lesson, warning, conversation, session_snapshot';
export const NODE_TYPES = [
  'fact',
  'decision',
  'preference',
  'constraint',
  'habit',
  'lesson',
  'goal',
  'risk',
  'term',
] as const;
export const NODE_STATUSES = ['active', 'superseded', 'disputed', 'verified'] as const;
export const RELATION_TYPES = [
  'influences',
  'depends_on',
  'supersedes',
  'related_to',
  'implements',
  'contradicts',
] as const;
export const IMPORTANCE = ['low', 'medium', 'high', 'critical'] as const;

const MAX_TAGS = 50;
const MAX_METADATA_BYTES = 16 * 1024;
export const MAX_CONTENT_BYTES = 100_000;

const text = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description });

export const EventId = Id('Memory event', 'memory_list_events');
export const NodeId = Id('Knowledge node', 'memory_list_nodes', 'memory_search');
export const RecordId = Id('Memory event or knowledge node', 'memory_search');
export const ProjectId = Id('Project', 'projects_list');

export const EventType = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,49}$',
  description: `A word, such as ${WORDS_OF_EVENTS}`,
});
export const Importance = Type.Enum([...IMPORTANCE], { description: 'How much it matters' });
export const NodeType = Type.Enum([...NODE_TYPES], { description: 'What kind of knowledge it is' });
export const Title = text('One-line summary', 300);
export const Content = text('Full text, up to 100 kB', MAX_CONTENT_BYTES);
export const Tags = Type.Array(text('A tag', 100), {
  maxItems: MAX_TAGS,
  uniqueItems: true,
  description: 'Tags to find it by',
});
export const Metadata = Type.Object(
  {},
  { additionalProperties: true, maxProperties: 100, description: 'Fields of your own, up to 16 kB as JSON' },
);
export const SessionId = text('The conversation that it belongs to', 200);
/** The same in a change. */
export const ClearableSessionId = Type.String({
  maxLength: 200,
  description: 'The conversation that it belongs to; empty clears it',
});

/** A time that a change may take away: by an empty text, since null counts as left out. */
export const ClearableTime = (description: string, day: DayMeans) =>
  Type.Union([Type.String({ format: 'date-time', 'x-day': day }), Type.Literal('')], {
    description: `${description}; empty clears it`,
  });

/** Refuses a change of a record that another caller has changed meanwhile. */
export const IfUpdatedAt = Type.Optional(
  Type.String({
    format: 'date-time',
    description: 'updated_at as you read it: CONFLICT if the record has changed since',
  }),
);

const source = (description: string) => Type.Optional(Type.String({ maxLength: 2000, description }));
export const Provenance = Type.Object(
  {
    repo: source('Repository'),
    branch: source('Branch'),
    commit_sha: source('Commit'),
    pr_url: source('Pull request'),
    issue_url: source('Issue'),
  },
  { ...closedAs('Provenance'), description: 'Where it comes from' },
);

const codeRef = {
  path: Type.String({ minLength: 1, maxLength: 1024, description: 'Path of a file in the project' }),
  symbol: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Symbol in it' })),
};
export const CodeRefs = Type.Array(Type.Object(codeRef, closedAs('CodeRef')), {
  maxItems: 100,
  description: 'Code that it is about',
});
export type CodeRefs = Static<typeof CodeRefs>;
/** `missing`: the project has no such file; of versions and exports: had none when the record was written. */
export const CheckedCodeRefs = Type.Array(
  Type.Object({ ...codeRef, missing: Type.Optional(Type.Literal(true)) }, closedAs('CheckedCodeRef')),
);
export type CheckedCodeRefs = Static<typeof CheckedCodeRefs>;

/** Limits that a schema cannot say, since they count bytes. Throws INVALID_ARGUMENT. */
export function checkSizes({ content, metadata }: { content?: string; metadata?: object }): void {
  if (content !== undefined && Buffer.byteLength(content) > MAX_CONTENT_BYTES)
    throw invalidArgument('/content', `must have at most ${MAX_CONTENT_BYTES} bytes of UTF-8`);
  if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES)
    throw invalidArgument('/metadata', `must have at most ${MAX_METADATA_BYTES} bytes as JSON`);
}

/** A time as it is stored: UTC with milliseconds, so that texts sort as times. */
export function utc(time: string): string {
  return new Date(time).toISOString();
}

/** Throws INVALID_ARGUMENT where a validity ends before it begins. */
export function checkValidity({
  valid_from,
  valid_to,
}: {
  valid_from: string;
  valid_to: string | null;
}): void {
  if (valid_to !== null && valid_to < valid_from)
    throw invalidArgument('/valid_to', 'must not be before valid_from');
}

export const RelationType = Type.Enum([...RELATION_TYPES], {
  description: 'How the one node relates to the other',
});
export const Weight = Type.Number({
  minimum: 0,
  maximum: 1,
  default: 1,
  description: 'Strength of the relation, 0 to 1',
});
export const EdgeContext = text('Why they are related', 2000);
export const Relations = Type.Array(
  Type.Object({ relation_type: RelationType, target_id: NodeId, weight: Weight }, closedAs('NewRelation')),
  { maxItems: 100, description: 'Nodes that it relates to' },
);
export type Relations = Static<typeof Relations>;

export const NodeStatus = Type.Enum([...NODE_STATUSES], { description: 'Status' });
export const Reason = Type.String({ minLength: 1, maxLength: 2000, description: 'Why' });
export const Deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, closedAs('Deleted'));

/** A schema with the value that stands for an argument or field which is left out. */
export function withDefault<T extends object>(schema: T, value: unknown): T {
  return { ...schema, default: value };
}
