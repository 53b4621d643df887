import { Clock, Database, Log, provide, token } from '@service-mcp/core';

const TABLES = ['api_keys', 'sessions', 'oauth_grants'] as const;

/**
 * Last use of each API key, login and connected application, to the minute. Buffered in memory and flushed
 * periodically, so that a call causes no write.
 */
export interface CredentialUsage {
  /** Buffers a use of a row of `table`; `stored` is its current `last_used_at` in the database. */
  record(table: (typeof TABLES)[number], id: string, stored: string | null): void;
  /** Never rejects: lists are read, and a service stops, also while the database takes no writes. */
  flush(): Promise<void>;
  /** Flushes for the last time. */
  close(): Promise<void>;
}
export const CredentialUsage = token<CredentialUsage>('auth.CredentialUsage');

const FLUSH_INTERVAL_MS = 30_000;
const PRECISION_MS = 60_000;

export const credentialUsage = provide(CredentialUsage, {
  uses: { database: Database, clock: Clock, log: Log },
  create({ database, clock, log }) {
    const uses = new Map(TABLES.map((table) => [table, new Map<string, string>()]));
    const save = async (): Promise<void> => {
      // One order in all processes, so that none waits for a row of another that waits for one of its own.
      const batch = TABLES.flatMap((table) =>
        [...(uses.get(table) ?? [])]
          .map(([id, last_used_at]) => ({ table, id, last_used_at }))
          .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      );
      if (batch.length === 0) return;
      for (const buffered of uses.values()) buffered.clear();
      await database.transaction(async (sql) => {
        for (const { table, id, last_used_at } of batch)
          await sql(table).where({ id }).update({ last_used_at });
      });
    };
    /** Where the database takes no writes, what was buffered is lost: the times stay older than they are. */
    const flush = () =>
      save().catch((err: unknown) => log.warn({ err }, 'saving the last use of credentials failed'));
    const timer = setInterval(flush, FLUSH_INTERVAL_MS);
    timer.unref();
    return {
      record(table, id, stored) {
        const buffered = uses.get(table);
        if (!buffered || buffered.has(id)) return; // flushed soon
        const now = clock.now();
        if (stored === null || now.getTime() - Date.parse(stored) >= PRECISION_MS)
          buffered.set(id, now.toISOString());
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
