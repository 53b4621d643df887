/**
 * The one place that loads LanceDB. Its native part reads `LANCEDB_LOG` when it is loaded and would otherwise write
 * warnings of its own to stderr.
 */
process.env['LANCEDB_LOG'] ??= 'error';

export const lancedb: typeof import('@lancedb/lancedb') = await import('@lancedb/lancedb');
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
