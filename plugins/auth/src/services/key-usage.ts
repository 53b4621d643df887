import { Clock, Database, Log, provide, token } from '@service-mcp/core';

/**
 * Last use of each API key, to the minute. Buffered in memory and flushed periodically, so that a call with a
 * key causes no write.
 */
export interface KeyUsage {
  /** Buffers a use; `stored` is the current value in the database. */
  record(keyId: string, stored: string | null): void;
  flush(): Promise<void>;
  /** Flushes for the last time. */
  close(): Promise<void>;
}
export const KeyUsage = token<KeyUsage>('auth.KeyUsage');

const FLUSH_INTERVAL_MS = 30_000;
const PRECISION_MS = 60_000;

export const keyUsage = provide(KeyUsage, {
  uses: { database: Database, clock: Clock, log: Log },
  create({ database, clock, log }) {
    const uses = new Map<string, string>();
    const flush = async (): Promise<void> => {
      if (uses.size === 0) return;
      const batch = [...uses];
      uses.clear();
      await database.transaction(async (sql) => {
        for (const [id, at] of batch) await sql('api_keys').where({ id }).update({ last_used_at: at });
      });
    };
    const timer = setInterval(() => {
      flush().catch((err: unknown) => log.warn({ err }, 'saving the last use of API keys failed'));
    }, FLUSH_INTERVAL_MS);
    timer.unref();
    return {
      record(keyId, stored) {
        if (uses.has(keyId)) return; // flushed soon
        const now = clock.now();
        if (stored === null || now.getTime() - Date.parse(stored) >= PRECISION_MS)
          uses.set(keyId, now.toISOString());
      },
      flush,
      close() {
        clearInterval(timer);
        return flush();
      },
    };
  },
  close: (usage) => usage.close(),
});
