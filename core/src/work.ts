import type { Knex } from 'knex';
import type { Sql } from './database.js';
import { pendingColumns } from './storage/pending-columns.js';
import { token } from './token.js';

export type WorkStatus = 'pending' | 'indexed' | 'failed';

/** The columns of a row that is work: {@link addWorkColumns} makes them. */
export interface WorkRow {
  readonly id: string;
  readonly workspace_id: string;
  /** Grows with every change; an outcome for an older revision leaves the row pending. */
  readonly revision: number;
  /** 1: removed. The row stays until its removal is settled, then it is deleted. */
  readonly deleted: number;
  readonly indexing_status: WorkStatus;
  readonly indexing_error: string | null;
  /** How often it was claimed for this revision; after a claim, that one included. */
  readonly attempts: number;
  readonly next_attempt_at: string;
  /** RFC 3339: when its present revision was made. The rows of one change have the same. */
  readonly pending_since: string;
  /** In a table with this column, it counts against `maxBytes` of a claim without a `size`. */
  readonly bytes?: number;
}

/** Which of the waiting rows. */
export interface WaitingWork {
  /**
   * True: those that one of the newest small changes made, newest first: what a person just saved must not wait behind a
   * folder that is being ingested. A change is small with at most 16 rows. Rows that were claimed before are not among
   * them. Default: all, in order of attempts and id.
   */
  readonly small?: boolean;
}

export interface ClaimLimits extends WaitingWork {
  /** How many rows at most. */
  readonly limit: number;
  /** Sum of the bytes of rows, after the first row. Default: no limit. */
  readonly maxBytes?: number;
  /** An SQL expression for the bytes of a row: `octet_length(content)`. Default: its column `bytes`; rows without it have none. */
  readonly size?: string;
  /**
   * Also takes what is left of the last change of a workspace, beyond both limits, where that would then count as small: up
   * to 16 rows with a quarter of the bytes. Default: false.
   */
  readonly rest?: boolean;
  /** The only workspace whose rows are claimed. Default: all workspaces, in turn. */
  readonly only?: string;
}

export type WorkOutcome = { readonly id: string; readonly revision: number } & (
  | { readonly status: 'indexed' }
  /** Retried with back-off (5 s, doubling) unless `permanent` or after 5 attempts; then the row is `failed`. */
  | {
      readonly status: 'failed';
      readonly error: string;
      readonly permanent?: boolean;
      /** Of a failure that is not the row's own: it is retried after this time, as often as it takes. */
      readonly retryAfterMs?: number;
    }
);

/** The outcome of settling rows. Rows that changed since they were claimed are in no list: they stay pending. */
export interface SettledWork<Row> {
  readonly indexed: Row[];
  /** Removed rows, which are deleted now. */
  readonly removed: Row[];
  readonly failed: Row[];
  readonly retried: Row[];
}

export type WorkCounts = Readonly<Record<WorkStatus, number>>;

/** Columns to write for a row that becomes work. */
export type PendingColumns = Readonly<Record<string, string | number | null | Knex.Raw>>;

/** Which rows: by the values of columns, or as a query says. */
export type WorkFilter = Readonly<Record<string, string>> | ((rows: Knex.QueryBuilder) => Knex.QueryBuilder);

/**
 * A table whose pending rows are the work queue: a record and its work commit in one transaction, and a killed process
 * loses neither.
 */
export interface WorkQueue<Row extends WorkRow> {
  /** Columns of a new row: spread them into its insert. */
  added(): PendingColumns;
  /** Columns of a row that changed: spread them into its update, or into the merge of an upsert. */
  changed(sql: Sql): PendingColumns;
  /** Marks rows as removed: they leave the table once that is settled. Returns how many. */
  remove(sql: Sql, where: WorkFilter): Promise<number>;
  /** Makes rows pending again, by default all, and voids open claims. Returns how many. */
  requeue(sql: Sql, where?: WorkFilter): Promise<number>;
  /**
   * The next due rows, in turn between workspaces: each waiting workspace gets an equal share. Each row counts one
   * attempt, in the database, so that a row which kills the process is found out: after three attempts without an
   * outcome rows come in smaller batches, after five alone. Nothing is locked: only for an exclusive worker, or with `only`
   * for the holder of a lease on that workspace.
   */
  claim(limits: ClaimLimits): Promise<Row[]>;
  /** Workspaces with pending rows, from the one after the last claimed from; of small changes, newest first. */
  waitingWorkspaces(which?: WaitingWork): Promise<string[]>;
  /** Ends claims, in the transaction of the changes that follow from them. */
  settle(sql: Sql, outcomes: readonly WorkOutcome[]): Promise<SettledWork<Row>>;
  /**
   * How many rows with these values wait, of which 10,000 are counted at most, and whether any is there. Cheap, however many
   * rows there are.
   */
  glance(
    where: Readonly<Record<string, string>>,
  ): Promise<{ readonly pending: number; readonly some: boolean }>;
  /** Ids of rows of a workspace that wait and are not removed, in order of their last change, the latest first. */
  newest(workspaceId: string, limit: number): Promise<string[]>;
  /** Living rows by status. */
  counts(where?: Readonly<Record<string, string>>): Promise<WorkCounts>;
  /** Rows that wait, removals included, and since when the oldest does. */
  waiting(): Promise<{ readonly rows: number; readonly since: string | undefined }>;
}

/** Opens work queues over tables of plugins. */
export interface WorkQueues {
  /**
   * A queue over `table`, which has the columns of {@link addWorkColumns}; with `where`, over the rows with these values.
   * `name` is its label in the metrics `service_mcp_queue_depth` and `service_mcp_queue_age_seconds`; every opening of
   * that name returns the same queue.
   */
  open<Row extends WorkRow = WorkRow>(queue: {
    readonly name: string;
    readonly table: string;
    readonly where?: Readonly<Record<string, string>>;
  }): WorkQueue<Row>;
}
export const WorkQueues = token<WorkQueues>('core.WorkQueues');

/** Wakes workers that wait for work: `events.wake(WORK_PENDING)` after a change that added some. */
export const WORK_PENDING = 'work.pending';

/**
 * For a migration: makes a table with `id` and `workspace_id` a work queue. Rows that it holds become pending.
 * `by` names the columns that distinguish several queues in one table.
 */
export async function addWorkColumns(sql: Sql, table: string, by: readonly string[] = []): Promise<void> {
  const since = new Date().toISOString();
  await sql.schema.alterTable(table, (columns) => {
    columns.integer('revision').notNullable().defaultTo(1);
    columns.integer('deleted').notNullable().defaultTo(0);
    columns.text('indexing_status').notNullable().defaultTo('pending');
    columns.text('indexing_error');
    columns.integer('attempts').notNullable().defaultTo(0);
    columns.text('next_attempt_at').notNullable().defaultTo('');
    columns.text('pending_since').notNullable().defaultTo(since);
  });
  // These hold waiting rows alone, so that they stay small. SQLite uses an index by its first columns.
  const indexes = {
    claim: [...by, 'indexing_status', 'workspace_id', 'attempts', 'id'],
    age: [...by, 'indexing_status', 'pending_since'],
  };
  for (const [name, columns] of Object.entries(indexes)) {
    const list = columns.map(() => '??').join(', ');
    await sql.raw(`CREATE INDEX ?? ON ?? (${list}) WHERE indexing_status = 'pending'`, [
      `${table}_${name}`,
      table,
      ...columns,
    ]);
  }
  await sql.schema.alterTable(table, (columns) => columns.index(['workspace_id', 'indexing_status']));
}

/**
 * For a migration: has every row worked on again, such as after `document` of its index began to return something else.
 * Claims of before are void.
 */
export async function requeueRows(sql: Sql, table: string): Promise<void> {
  await sql(table).update({
    ...pendingColumns(new Date().toISOString()),
    revision: sql.raw('revision + 1'),
  });
}
