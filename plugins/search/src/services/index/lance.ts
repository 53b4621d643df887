import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type * as LanceDb from '@lancedb/lancedb';
import type * as Arrow from 'apache-arrow';

/**
 * The only place that loads LanceDB, whose native part reads these variables at load. Without `LANCEDB_LOG` it writes
 * warnings to stderr. With only as many threads as a small machine has cores, updating a text index deadlocks (0.31.0,
 * seen on two cores after some twenty rounds).
 */
process.env['LANCEDB_LOG'] ??= 'error';
process.env['LANCE_CPU_THREADS'] ??= String(Math.max(8, availableParallelism()));

export const lancedb: typeof LanceDb = await import('@lancedb/lancedb');
export type { Connection, Operator, Table } from '@lancedb/lancedb';

/** LanceDB takes tables of its own copy of Arrow as they are; tables of another it rebuilds, and fails. */
const requireLikeLance = createRequire(createRequire(import.meta.url).resolve('@lancedb/lancedb'));
export const { tableFromIPC } = requireLikeLance('apache-arrow') as typeof Arrow;

const CONFLICT = /commit conflict|concurrent|retryable/iu;

/** Retries a write that conflicts with another writer; a conflict leaves the table unchanged. */
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

/** LanceDB has no typed errors: a query that timed out says so in its message. */
export function isTimeout(error: unknown): boolean {
  return /time ?out|timed out|deadline/iu.test(String(error));
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
