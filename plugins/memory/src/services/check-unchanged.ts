import { ServiceError, type Sql } from '@service-mcp/core';
import { utc } from '../schemas.js';
import { KINDS, type Kind } from './kinds.js';

/**
 * Locks a record until the transaction ends. Throws CONFLICT where it was changed after `read`, the `updated_at` that
 * the caller has seen; without `read`, any state is accepted.
 */
export async function checkUnchanged(
  sql: Sql,
  kind: Kind,
  id: string,
  read: string | undefined,
): Promise<void> {
  if (read === undefined) return;
  const row: { updated_at: string } | undefined = await sql(KINDS[kind].table)
    .where({ id })
    .forUpdate() // SQLite has one writer anyway
    .first('updated_at');
  if (!row || row.updated_at === utc(read)) return; // the change itself says what is absent
  throw new ServiceError(
    'CONFLICT',
    `The ${kind} ${id} was changed at ${row.updated_at}, after it was read. Read it again with memory_get_${kind}, then change it.`,
    { details: { id, updated_at: row.updated_at } },
  );
}
