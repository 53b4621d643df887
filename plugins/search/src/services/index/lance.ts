import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type * as LanceDb from '@lancedb/lancedb';

export type { Connection, Index, MatchQuery, Operator, Session, Table } from '@lancedb/lancedb';

/**
 * LanceDB's native part reads these variables when it is loaded. Without `LANCEDB_LOG` it writes warnings to stderr. With
 * only as many threads as a small machine has cores, updating a text index deadlocks (0.31.0, seen on two cores after
 * some twenty rounds).
 */
process.env['LANCEDB_LOG'] ??= 'error';
process.env['LANCE_CPU_THREADS'] ??= String(Math.max(8, availableParallelism()));

const require = createRequire(import.meta.url);

/** LanceDB, loaded once an index is opened: a start of the service does not wait for it. */
export function lancedb(): typeof LanceDb {
  return require('@lancedb/lancedb') as typeof LanceDb;
}

/** Another writer was faster. */
export function isConflict(error: unknown): boolean {
  return /commit conflict|concurrent|retryable/iu.test(String(error));
}

/** Retries a write that conflicts with another writer; a conflict leaves the table unchanged. */
export async function withRetry<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt >= 8 || !isConflict(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** attempt * (0.5 + Math.random())));
    }
  }
}

/** LanceDB has no typed errors: a query that timed out says so in its message. */
export function isTimeout(error: unknown): boolean {
  return /time ?out|timed out|deadline/iu.test(String(error));
}

/** A word that is too long for a search of what resembles it: the index is not at fault. */
export function isTooLongToResemble(error: unknown): boolean {
  return /automaton exceeds size limit/iu.test(String(error));
}

/** An expression of the request that the index does not compile: the index is not at fault. */
export function isRefusedExpression(error: unknown): boolean {
  return /regular expression did not compile|regex parse error|compiled regex exceeds|nest limit/iu.test(
    String(error),
  );
}

/** The place of the index takes no writes at present: its documents are not at fault. */
export function isUnwritable(error: unknown): boolean {
  return /read-only file system|no space left|permission denied|operation not permitted/iu.test(
    String(error),
  );
}

/** The folder of a table is there, but no version of the table was ever committed in it. */
export function isHalfMade(error: unknown): boolean {
  return /not found.*_versions/isu.test(String(error));
}
