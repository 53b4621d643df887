import type { Input, Output } from '../../api/call.js';
import { words } from '../../ui/format.js';

export type Kind = 'event' | 'node';
export type MemoryEvent = Output<'memory_get_event'>;
export type KnowledgeNode = Output<'memory_get_node'>;
/** A record of memory with its kind. */
export type MemoryRecord =
  | ({ readonly kind: 'event' } & MemoryEvent)
  | ({ readonly kind: 'node' } & KnowledgeNode);
export type NodeType = KnowledgeNode['node_type'];
export type Status = KnowledgeNode['status'];
export type Importance = NonNullable<Input<'memory_create_event'>['importance']>;

export const KIND_NAMES: Readonly<Record<Kind, string>> = { event: 'Event', node: 'Knowledge' };

/** Types that events usually have; there may be others. */
export const EVENT_TYPES: readonly string[] = [
  'note',
  'decision',
  'preference',
  'insight',
  'task',
  'bug',
  'feature',
  'plan',
  'correction',
  'lesson',
  'warning',
  'conversation',
  'session_snapshot',
];
const NODE_TYPE_NAMES: Readonly<Record<NodeType, string>> = {
  fact: 'Fact',
  decision: 'Decision',
  preference: 'Preference',
  constraint: 'Constraint',
  habit: 'Habit',
  lesson: 'Lesson',
  goal: 'Goal',
  risk: 'Risk',
  term: 'Term',
};
export const NODE_TYPES = Object.keys(NODE_TYPE_NAMES) as readonly NodeType[]; // its keys are these
export const IMPORTANCE: readonly Importance[] = ['low', 'medium', 'high', 'critical'];
export const STATUSES: readonly Status[] = ['active', 'verified', 'disputed', 'superseded'];

export const nodeType = (value: string): NodeType | undefined => NODE_TYPES.find((type) => type === value);
export const typeOf = (record: MemoryRecord): string =>
  record.kind === 'event' ? record.event_type : record.node_type;
export const options = (values: readonly string[]) => values.map((value) => ({ value, label: words(value) }));
