import type { Knex } from 'knex';
import { token } from './token.js';

/** A connection or an open transaction; every store method takes one. */
export type Sql = Knex;

/** A query that is being built. */
export type Query = Knex.QueryBuilder;

/** The one SQL database of the deployment: the embedded SQLite engine or PostgreSQL. */
export interface Database {
  readonly engine: 'sqlite' | 'postgresql';
  readonly sql: Sql;
  /**
   * Runs `work` in one transaction; on SQLite it is the only writer meanwhile. Inside, use the
   * argument alone: the pool of the embedded engine has one connection, so `database.sql`, and services that use it, would
   * wait for it; such a transaction fails with UNAVAILABLE after ten seconds.
   * PostgreSQL may roll it back to end a deadlock; then it runs again, up to ten times, so `work` must change nothing but
   * the database, and what it collects must begin inside it.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * A fixed look-up of one row, with `?` for its bindings, for queries of every call. The text is built once, and
   * PostgreSQL plans it once a connection, under `name` (a join costs it more to plan than to run).
   */
  prepare<Row>(name: string, query: string): (...bindings: readonly string[]) => Promise<Row | undefined>;
  /** Resolves when the database answers; rejects otherwise. */
  ping(): Promise<void>;
}
export const Database = token<Database>('core.Database');
