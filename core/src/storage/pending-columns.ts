import type { Clock } from '../services.js';

/** Leaves room for as many changes in an integer of SQL. */
const MAX_FIRST_REVISION = 2 ** 30;

/**
 * The revision of a new row. Not 1: a row that was deleted may come back with its id. A claim of the former one may still be
 * open: its outcome must not settle the new content.
 */
export function firstRevision(clock: Clock): number {
  return 1 + (clock.now().getTime() % MAX_FIRST_REVISION);
}

/** Columns of a row that becomes work. */
export function pendingColumns(now: string) {
  return {
    indexing_status: 'pending' as const,
    indexing_error: null,
    attempts: 0,
    next_attempt_at: '',
    pending_since: now,
  };
}
