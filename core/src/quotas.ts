import type { Sql } from './database.js';
import type { ServiceError } from './errors.js';
import { token } from './token.js';

/**
 * Port, filled by the workspaces plugin: counts of what a workspace holds, and the quotas on them. A resource is a name
 * of the overview's counts (`events`), or `files` and `bytes`.
 */
export interface Quotas {
  /**
   * Adds to the counts of a workspace, in the transaction that changes its contents and after everything else in it: the
   * counts stay locked until its end. Throws RESOURCE_EXHAUSTED where one grows over its quota, and NOT_FOUND where the
   * workspace was deleted. Names that no quota has are not counted; their growth holds the workspace until the end.
   */
  count(sql: Sql, workspaceId: string, changes: Readonly<Record<string, number>>): Promise<void>;
  /**
   * How many more the workspace may hold now, and the error for one more than that; undefined without a quota. Another
   * transaction may take them before `count`, which then throws.
   */
  room(
    sql: Sql,
    workspaceId: string,
    resource: string,
  ): Promise<{ readonly left: number; readonly refusal: ServiceError } | undefined>;
}
export const Quotas = token<Quotas>('core.Quotas');
