import type { Sql } from './database.js';
import { token } from './token.js';

/** A fact that happened, kept 24 hours for streams to replay. */
export interface ChangeEvent {
  /** Opaque; the place of the event in the order in which all readers see them. */
  readonly id: string;
  readonly type: string;
  readonly workspaceId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: string;
}

export interface NewChangeEvent {
  readonly type: string;
  readonly workspaceId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Adds events to the transaction of a change. */
export type RecordEvents = (...events: readonly NewChangeEvent[]) => void;

/** Change events: written in the transaction of the change, announced in this process once it is committed. */
export interface Events {
  /**
   * Runs `work` in one transaction and writes the events that it records at its end. After the commit it wakes the
   * workers of this process that wait for their types; other processes see the rows. Nothing is recorded or announced
   * where `work` throws. It may run again, and uses `sql` alone, as in {@link Database.transaction}.
   */
  change<T>(work: (sql: Sql, record: RecordEvents) => Promise<T>): Promise<T>;
  /** Wakes workers of this process that wait for these names, without an event: `WORK_PENDING`. */
  wake(...names: string[]): void;
  /** Calls back when an event of a type was announced, or its name woken; logs what the listener throws. Returns how to stop. */
  listen(types: readonly string[], listener: () => void): () => void;
}
export const Events = token<Events>('core.Events');
