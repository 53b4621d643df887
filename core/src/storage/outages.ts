import { ServiceError } from '../errors.js';
import type { Log } from '../log.js';

/** Why the database cannot serve a query. */
export type OutageReason =
  | 'unreachable'
  | 'refused'
  | 'no_connection'
  | 'disk_full'
  | 'no_room'
  | 'disk_failing'
  | 'read_only'
  | 'file_gone'
  | 'busy'
  | 'stuck';

export interface OutageRow {
  readonly message: string;
  readonly retrySeconds: number;
  /** What the log says when it begins. */
  readonly log: string;
  /** What the operator does about it. */
  readonly remedy?: string;
}

/** What is said and done about each. */
export const OUTAGES = {
  unreachable: {
    message:
      'The database does not answer. Try again in a moment; if it stays so, the operator must check that it runs and can be reached.',
    retrySeconds: 2,
    log: 'the database is unavailable; calls get UNAVAILABLE until it is back: check that it runs, and what stands between (proxy, pooler, firewall)',
    remedy:
      'Check that the server in DATABASE_URL runs, and that what stands between (proxy, pooler, firewall) passes connections on.',
  },
  refused: {
    message:
      'The database refuses the connections of this service. The operator must correct its user, its password or the name of the database.',
    retrySeconds: 10,
    log: 'the database refuses the user, the password or its own name; calls get UNAVAILABLE until it accepts them: correct DATABASE_URL and restart the service, or allow them there',
    remedy:
      'Correct user, password and name of the database in DATABASE_URL and restart the service, or allow them in PostgreSQL.',
  },
  no_connection: {
    message:
      'The database has no connection free. Try again in a moment; if it stays so, the operator must raise its limit of connections or end some.',
    retrySeconds: 2,
    log: 'the database has no connection free; calls get UNAVAILABLE until it has: raise its limit, or end connections of others',
  },
  busy: {
    message: 'Another process keeps the database busy. Try again in a moment.',
    retrySeconds: 2,
    log: 'another process keeps the database busy; calls that wait for it get UNAVAILABLE',
  },
  stuck: {
    message:
      'A part of the service keeps the database for itself. Try again in a moment; if it stays so, the log of the service says which part.',
    retrySeconds: 2,
    log: 'a transaction keeps the embedded database and runs no query; calls that wait for it get UNAVAILABLE: what a plugin awaits inside of a transaction must use the sql that it gets there',
    remedy: 'Read the log of the service.',
  },
  read_only: {
    message: 'The database accepts no writes at the moment. Reading works. Try again in a moment.',
    retrySeconds: 5,
    log: 'the database accepts no writes; they get UNAVAILABLE until it does, reading works',
    remedy:
      'Connect to the primary server if this one is a standby; else set default_transaction_read_only to off there, or make the file of SQLite writable.',
  },
  file_gone: {
    message:
      'The file of the database was deleted, moved or replaced: what would be written now would be lost. Reading works; to write, ask the operator to put it back, or to restart the service over a restored one.',
    retrySeconds: 10,
    log: 'the file of the database was deleted, moved or replaced; writes get UNAVAILABLE until it is back where it was: put it there, or stop the service and restore a backup',
  },
  disk_full: {
    message:
      'The disk of the database is full. Reading works; to write, delete something, or ask the operator to free space.',
    retrySeconds: 10,
    log: 'the disk of the database is full; writes get UNAVAILABLE until it has space, reading works',
    remedy: 'Free space on that disk, or make it larger.',
  },
  no_room: {
    message:
      'The disk of the database is so full that it takes no new connection. The operator must free space.',
    retrySeconds: 10,
    log: 'the disk of the database is so full that it takes no new connection; calls get UNAVAILABLE until it has space',
    remedy: 'Free space on that disk, or make it larger.',
  },
  disk_failing: {
    message: 'The disk of the database fails. Try again in a moment; the log of the service has the reason.',
    retrySeconds: 10,
    log: 'the disk of the database fails; calls that need it get UNAVAILABLE',
    remedy: 'Read the log of the service.',
  },
} as const satisfies Record<OutageReason, OutageRow>;

/** What the operator does about an outage; undefined for other errors. */
export function outageRemedy(thrown: unknown): string | undefined {
  if (!isOutage(thrown) || !(thrown instanceof ServiceError)) return undefined;
  const row: OutageRow | undefined = OUTAGES[thrown.details?.['reason'] as OutageReason];
  return row?.remedy ?? 'Read the log of the service.';
}

/** Codes of libsql, of PostgreSQL (SQLSTATE) and of its connections. What is not listed is a fault of the query. */
const CODES: ReadonlyArray<readonly [RegExp, OutageReason]> = [
  [/^(SQLITE_FULL|53100|ENOSPC|EDQUOT)$/, 'disk_full'],
  [/^SQLITE_READONLY_DBMOVED$/, 'file_gone'],
  [/^(SQLITE_READONLY\w*|25006|EROFS)$/, 'read_only'],
  [/^(SQLITE_IOERR\w*|58030|EIO)$/, 'disk_failing'],
  // What PostgreSQL ended for limits of the operator: 57014 (also by hand) statement_timeout, 55P03 lock_timeout
  [/^(SQLITE_BUSY\w*|SQLITE_LOCKED|SQLITE_PROTOCOL|57014|55P03)$/, 'busy'],
  [/^53300$/, 'no_connection'],
  [/^(28P01|28000|3D000)$/, 'refused'],
  [/^(08...|53...|57P0.|25P0[34]|SQLITE_CANTOPEN\w*|SQLITE_NOMEM)$/, 'unreachable'],
  [/^(ECONN\w+|EPIPE|ETIMEDOUT|EHOST\w+|ENET\w+|ENOTFOUND|EAI_\w+)$/, 'unreachable'],
];
/** Errors of the PostgreSQL driver for a lost connection, which have no code. */
const LOST_CONNECTION = /Connection terminated|timeout expired|is not queryable/;

/** `deadlock_detected`, and `serialization_failure` where the operator chose a stricter isolation. */
const ROLLED_BACK = new Set<unknown>(['40P01', '40001']);
/** Of what PostgreSQL rolls back for another transaction. Each deadlock lets one of its transactions through. */
export const MAX_ATTEMPTS = 10;

/** Whether PostgreSQL rolled a transaction back because it and another one could not both be made; it can run again. */
export function isRolledBackForAnother(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ROLLED_BACK.has(error.code);
}

/** An outage ends with a success so long after its last failure: a full disk takes a small write now and then. */
const QUIET_MS = 5_000;
/** Of a disk, the log tells the end so much later: what does not fit may be tried again every half minute. */
const QUIET_DISK_MS = 60_000;

/**
 * Why pgbouncer, which stands before PostgreSQL, has no connection for a client. It has one code for all that it refuses,
 * `protocol_violation`, and names no routine, as PostgreSQL does with its own.
 */
const POOLER_FULL = /^(query_wait_timeout|no more connections allowed)/;

/** Whether a pooler before PostgreSQL is at one of its limits. */
export function isPoolerFull(error: Error): boolean {
  const { code, routine } = error as { readonly code?: unknown; readonly routine?: unknown };
  return code === '08P01' && routine === undefined && POOLER_FULL.test(error.message);
}

/**
 * Whether PostgreSQL has no space for what a connection writes first, the file of its catalog, which it makes again after a
 * crash. It calls that an internal error, in words that it does not translate.
 */
export function isRoomless(error: Error): boolean {
  return (
    (error as { readonly code?: unknown }).code === 'XX000' &&
    error.message.startsWith('could not write init file')
  );
}

/** Those that leave reads alone, and end with a write. */
const WRITE_OUTAGES: readonly OutageReason[] = ['file_gone', 'disk_full', 'read_only'];

const outages = new WeakMap<object, OutageReason>();

/** Is this the failure of a database that is away (for this reason), or an error that it caused? The log has such an outage once. */
export function isOutage(thrown: unknown, reason?: OutageReason): boolean {
  for (let error = thrown; typeof error === 'object' && error !== null;) {
    const why = outages.get(error);
    if (why !== undefined) return reason === undefined || why === reason;
    error = (error as { cause?: unknown }).cause;
  }
  return false;
}

/**
 * The one place that tells a database that cannot serve from a query that is wrong. An outage is logged when it begins
 * and when it ends, however many queries it fails.
 */
export class Outages {
  #log: Log | undefined;
  readonly #open = new Set<OutageReason>();
  /** Those whose beginning the log has, and not their end. */
  readonly #told = new Map<OutageReason, { readonly since: number; last: number }>();

  /** Where outages are logged from now on: nowhere, before this is called and for undefined. */
  logTo(log: Log | undefined): void {
    this.#log = log;
  }

  /** UNAVAILABLE with `details.retry_after` for an outage; other errors as they are. */
  translate(thrown: unknown, otherwise?: OutageReason): unknown {
    if (isOutage(thrown)) return thrown;
    const reason = reasonOf(thrown) ?? otherwise;
    if (reason === undefined) return thrown;
    this.#failed(reason, thrown);
    return this.error(reason, thrown);
  }

  /** What calls get during an outage. */
  error(reason: OutageReason, cause?: unknown): ServiceError {
    const { message, retrySeconds } = OUTAGES[reason];
    const details = { reason, retry_after: retrySeconds };
    const error = new ServiceError('UNAVAILABLE', message, { details, cause });
    outages.set(error, reason);
    return error;
  }

  /** Why the database takes no writes while it answers reads; undefined where it takes them. */
  get writeOutage(): OutageReason | undefined {
    return WRITE_OUTAGES.find((reason) => this.#open.has(reason));
  }

  /** Called after each query that succeeds. */
  succeeded(isWrite: boolean): void {
    if (this.#told.size === 0) return;
    const now = Date.now();
    for (const [reason, { since, last }] of this.#told) {
      const quietMs = now < last ? Infinity : now - last; // Infinity: the clock was set back
      if (!isWrite && WRITE_OUTAGES.includes(reason)) continue;
      if (quietMs >= QUIET_MS) this.#open.delete(reason);
      if (quietMs < (reason === 'disk_full' || reason === 'disk_failing' ? QUIET_DISK_MS : QUIET_MS))
        continue;
      this.#told.delete(reason);
      this.#log?.info({ reason, seconds: Math.round((last - since) / 1000) }, 'the database is back');
    }
  }

  #failed(reason: OutageReason, err: unknown): void {
    const now = Date.now();
    this.#open.add(reason);
    const told = this.#told.get(reason);
    if (told) told.last = now;
    else {
      this.#told.set(reason, { since: now, last: now });
      this.#log?.error({ reason, err: withoutStack(err) }, OUTAGES[reason].log);
    }
  }
}

/** An error of the database, whose place in the driver tells nothing. */
function withoutStack(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const { name: type, message, code, errors } = thrown as AggregateError & { readonly code?: unknown };
  const parts = (errors ?? []).map((each: Error) => each.message); // one for each address of a host
  return { type, message: message || parts.join('; '), code };
}

function reasonOf(thrown: unknown): OutageReason | undefined {
  if (!(thrown instanceof Error) || thrown instanceof ServiceError) return undefined;
  const { code } = thrown as { code?: unknown };
  if (isPoolerFull(thrown)) return 'no_connection';
  if (isRoomless(thrown)) return 'no_room';
  if (typeof code === 'string') return CODES.find(([codes]) => codes.test(code))?.[1];
  return LOST_CONNECTION.test(thrown.message) ? 'unreachable' : undefined;
}
