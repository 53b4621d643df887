import { uuidv7, type Database, type Sql } from '@service-mcp/core';
import type { Account } from '../schemas.js';

/** A row of `users`. */
export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password_hash: string | null;
  readonly administrator: number;
  readonly created_at: string;
  readonly disabled_at: string | null;
}

/** An account whose password was just verified or set. Required to start a session; the session starts only if the hash is unchanged. */
export interface ProvenAccount extends Account {
  readonly password_hash: string;
}

/** The fields of an account that its owner sees. */
export function accountView({ id, email, name, created_at }: Account) {
  return { id, email, name, created_at };
}

export function toAccount(row: UserRow): Account {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    administrator: row.administrator === 1,
    disabled: row.disabled_at !== null,
    has_password: row.password_hash !== null,
    created_at: row.created_at,
  };
}

export async function findUser(
  sql: Sql,
  where: { readonly id: string } | { readonly email: string },
): Promise<UserRow | undefined> {
  return sql<UserRow>('users').where(where).first();
}

/** Inserts an account; undefined when the address is taken. */
export async function insertUser(
  sql: Sql,
  user: Pick<UserRow, 'email' | 'name' | 'password_hash' | 'created_at'> & {
    readonly id?: string;
    readonly administrator: boolean;
  },
): Promise<UserRow | undefined> {
  const { id = uuidv7(), email, administrator } = user;
  const name = user.name.trim() || (email.split('@')[0] as string);
  const row: UserRow = { ...user, id, name, administrator: administrator ? 1 : 0, disabled_at: null };
  const inserted = await sql<UserRow>('users').insert(row).onConflict('email').ignore().returning('id');
  return inserted.length > 0 ? row : undefined;
}

/** Is there an account, the local owner's included? */
export async function hasAccounts(sql: Sql): Promise<boolean> {
  return (await sql('users').first('id')) !== undefined;
}

/** Arbitrary, but the same in every process. */
const ADVISORY_LOCK = 7_236_002;

/** Serializes creation of the first account. On SQLite a transaction is the only writer anyway. */
export async function lockFirstAccount({ engine }: Database, sql: Sql): Promise<void> {
  if (engine === 'postgresql') await sql.raw('SELECT pg_advisory_xact_lock(?)', [ADVISORY_LOCK]);
}
