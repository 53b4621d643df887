import { ServiceError, type Sql } from '@service-mcp/core';
import type { UserRow } from './account-store.js';

const isActive = (user: UserRow) => user.administrator === 1 && user.disabled_at === null;

/**
 * The administrators, locked before any other row: of two who demote each other, the second is one no longer. Throws
 * PERMISSION_DENIED where `by`, who asks, ceased to be one; undefined: the operator asks.
 */
export async function lockAdministrators(sql: Sql, by: string | undefined): Promise<readonly UserRow[]> {
  const administrators = await sql<UserRow>('users').where({ administrator: 1 }).orderBy('id').forUpdate(); // SQLite has one writer anyway
  if (by === undefined || administrators.some((user) => user.id === by && isActive(user)))
    return administrators;
  throw new ServiceError(
    'PERMISSION_DENIED',
    'This is for administrators of the deployment. Ask one of them.',
  );
}

/**
 * Throws CONFLICT where an account is the last administrator who can log in, and would not be one any more; without
 * `changed` it is deleted.
 */
export function requireAdministrator(
  administrators: readonly UserRow[],
  row: UserRow,
  changed?: UserRow,
): void {
  if (!isActive(row) || (changed && isActive(changed))) return;
  // An account without a password cannot log in, and counts only where the changed one has none either.
  const others = administrators.filter(
    (user) =>
      user.id !== row.id && isActive(user) && (user.password_hash !== null || row.password_hash === null),
  );
  if (others.length > 0) return;
  throw new ServiceError(
    'CONFLICT',
    'This is the last administrator who can log in. First make another account administrator that has a password.',
  );
}
