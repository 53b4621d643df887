import type { Sql } from './database.js';
import { token } from './token.js';

/**
 * Plugins that had tables in this database at an earlier start and are not enabled now. Their rows are there, but nothing
 * can read or erase them until they are enabled again.
 */
export interface FormerPlugins {
  /** Their ids, in order. */
  ids(sql: Sql): Promise<readonly string[]>;
}
export const FormerPlugins = token<FormerPlugins>('core.FormerPlugins');
