import { AsyncLocalStorage } from 'node:async_hooks';
import type { NewChangeEvent } from '../change-events.js';
import type { Sql } from '../database.js';

/** A call with an Idempotency-Key, as the change that it makes sees it. */
export interface Creation {
  /**
   * Notes in the transaction of the change that it is made, with its events. Throws UNAVAILABLE where the call no longer
   * owns its key, so that nothing is created twice.
   */
  note(sql: Sql, events: readonly NewChangeEvent[]): Promise<void>;
}

/** The creation of the current call, for `Events.change`. */
export const currentCreation = new AsyncLocalStorage<Creation>();
