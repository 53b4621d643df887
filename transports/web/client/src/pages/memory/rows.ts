import type { Output } from '../../api/call.js';
import type { Importance, Kind, KnowledgeNode, MemoryEvent } from './kinds.js';

/** A record as a list shows it. */
export interface Row {
  readonly kind: Kind;
  readonly id: string;
  readonly type: string;
  readonly title: string;
  /** The beginning of its content. */
  readonly summary: string;
  readonly at: string;
  readonly status?: string;
  readonly importance?: Importance;
}

/** The rows of one page of a list. */
export interface RowPage {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly pages: number;
  /** What to know about the answer. */
  readonly warnings: readonly string[];
}

export const PAGE_SIZE = 50;
const MAX_SUMMARY = 240;
const summaryOf = (content: string) => content.slice(0, MAX_SUMMARY);

export const eventRow = ({
  id,
  event_type: type,
  title,
  content,
  occurred_at: at,
  importance,
}: MemoryEvent): Row => ({
  kind: 'event',
  id,
  type,
  title,
  summary: summaryOf(content),
  at,
  importance,
});

export const nodeRow = ({
  id,
  node_type: type,
  title,
  content,
  valid_from: at,
  status,
}: KnowledgeNode): Row => ({
  kind: 'node',
  id,
  type,
  title,
  summary: summaryOf(content),
  at,
  status,
});

export function entryRow({
  links,
  occurred_at: at,
  ...entry
}: Output<'memory_timeline'>['items'][number]): Row {
  const isSuperseded = links.some(({ relation }) => relation === 'superseded_by');
  return { ...entry, at, ...(isSuperseded && { status: 'superseded' }) };
}

export const hitRow = ({
  kind,
  id,
  type,
  title,
  content,
  occurred_at: at,
  status,
}: Output<'memory_search'>['results'][number]): Row => ({
  kind,
  id,
  type,
  title,
  summary: summaryOf(content),
  at,
  ...(status !== null && { status }),
});

export function rowPage<T>(
  { items, total }: { readonly items: readonly T[]; readonly total: number },
  rowOf: (item: T) => Row,
): RowPage {
  return { rows: items.map(rowOf), total, pages: Math.ceil(total / PAGE_SIZE), warnings: [] };
}
