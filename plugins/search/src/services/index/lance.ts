import { availableParallelism } from 'node:os';
import type * as LanceDb from '@lancedb/lancedb';

/**
 * The one place that loads LanceDB. Its native part reads these when it is loaded. Without `LANCEDB_LOG` it writes
 * warnings of its own to stderr. Without more threads than a small machine has cores, bringing a text index up to
 * date waits for itself for ever (0.31.0, seen on two cores after some twenty rounds).
 */
process.env['LANCEDB_LOG'] ??= 'error';
process.env['LANCE_CPU_THREADS'] ??= String(Math.max(8, availableParallelism()));

export const lancedb: typeof LanceDb = await import('@lancedb/lancedb');
export type { Connection, Table } from '@lancedb/lancedb';

const CONFLICT = /commit conflict|concurrent|retryable/iu;

/** Runs a write again where another writer got in between; a conflict leaves the table as it was. */
export async function withRetry<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt >= 8 || !CONFLICT.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** attempt * (0.5 + Math.random())));
    }
  }
}

/** LanceDB has no typed errors: a query that its time-out ended says so in its text. */
export function isTimeout(error: unknown): boolean {
  return /time ?out|timed out|deadline/iu.test(String(error));
}

/** The folder of a table is there, but no version of the table was ever committed in it. */
export function isHalfMade(error: unknown): boolean {
  return /not found.*_versions/isu.test(String(error));
}
