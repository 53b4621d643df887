import type { Database } from '../database.js';
import type { HealthCheck } from '../services.js';
import { outageRemedy } from './outages.js';

type State = Awaited<ReturnType<HealthCheck['check']>>;

const REMEDY =
  'Stop the service, keep a copy of the damaged database, and restore the last backup. Repair indexes only then.';
/** Codes of damaged pages: of SQLite, and of PostgreSQL (data_corrupted, index_corrupted). */
const DAMAGED = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'XX001', 'XX002']);
const NO_PERMISSION = '42501';
const INDEXES = `SELECT bt_index_check(c.oid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  JOIN pg_am a ON a.oid = c.relam JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE a.amname = 'btree' AND n.nspname = current_schema() AND c.relpersistence = 'p' AND i.indisready AND i.indisvalid`;

/**
 * Reads the whole database for damage: SQLite by `PRAGMA quick_check`, PostgreSQL by its extension amcheck, where that is
 * installed. Takes seconds for each gigabyte, and blocks SQLite meanwhile: for `doctor` alone.
 */
export async function checkContents(database: Database): Promise<State> {
  try {
    await database.ping();
    return database.engine === 'sqlite' ? await quickCheck(database) : await amcheck(database);
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    if (code !== undefined && DAMAGED.has(code)) return damaged(message);
    if (code === NO_PERMISSION) return { status: 'ok', message: 'not checked: the role may not use amcheck' };
    const remedy = outageRemedy(error);
    if (remedy !== undefined) return { status: 'failed', message, remedy };
    throw error;
  }
}

async function quickCheck(database: Database): Promise<State> {
  const [first] = (await database.sql.raw('PRAGMA quick_check(1)')) as Array<{ quick_check: string }>;
  return first?.quick_check === 'ok' ? { status: 'ok', message: 'sound' } : damaged(first?.quick_check ?? '');
}

async function amcheck(database: Database): Promise<State> {
  const installed: unknown = await database
    .sql('pg_extension')
    .where({ extname: 'amcheck' })
    .first('extname');
  if (!installed) return { status: 'ok', message: 'not checked: the extension amcheck is not installed' };
  await database.sql.raw(INDEXES);
  return { status: 'ok', message: 'the indexes of its tables are sound' };
}

function damaged(reason: string): State {
  return {
    status: 'failed',
    message: `the database is damaged: ${reason.split('\n', 1)[0]}`,
    remedy: REMEDY,
  };
}
