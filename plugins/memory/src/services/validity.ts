import type { Query } from '@service-mcp/core';

/** Whether a node is valid at a time, or was before, or will be later. */
export type Validity = 'past' | 'current' | 'future';

/** RFC 3339, UTC, as they are stored. */
interface Period {
  readonly valid_from: string;
  readonly valid_to: string | null;
}

/** `time`: RFC 3339, UTC. */
export function validityAt(time: string, { valid_from, valid_to }: Period): Validity {
  if (valid_to !== null && valid_to <= time) return 'past';
  return valid_from <= time ? 'current' : 'future';
}

/** Whether two records are valid at one time, as events always are. */
export function overlap(a: Partial<Period>, b: Partial<Period>): boolean {
  const endsAfter = ({ valid_to }: Partial<Period>, { valid_from }: Partial<Period>) =>
    valid_to === null || valid_to === undefined || valid_from === undefined || valid_to > valid_from;
  return endsAfter(a, b) && endsAfter(b, a);
}

/** Confines a query over nodes, or their versions, to those that are valid at a time. */
export function validAt(nodes: Query, time: string, table?: string): Query {
  const column = (name: string) => (table === undefined ? name : `${table}.${name}`);
  return nodes
    .where(column('valid_from'), '<=', time)
    .where((open) => open.whereNull(column('valid_to')).orWhere(column('valid_to'), '>', time));
}
