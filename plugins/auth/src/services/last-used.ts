import { Clock, Database, Log, provide, token } from '@service-mcp/core';

/**
 * When each API key was last used, to the minute: kept in memory and written now and then, so that a call with a key
 * writes nothing.
 */
export interface LastUsed {
  /** Notes a use; `known` is what the database says. Costs no write. */
  note(keyId: string, known: string | null): void;
  flush(): Promise<void>;
}
export const LastUsed = token<LastUsed>('auth.LastUsed');

const EVERY_MS = 30_000;
const PRECISION_MS = 60_000;

export const lastUsed = provide(LastUsed, {
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
      flush().catch((err: unknown) => log.warn({ err }, 'the last use of API keys was not written'));
    }, EVERY_MS);
    timer.unref();
    return {
      note(keyId, known) {
        if (uses.has(keyId)) return; // to be written soon
        const now = clock.now();
        if (known === null || now.getTime() - Date.parse(known) >= PRECISION_MS)
          uses.set(keyId, now.toISOString());
      },
      flush,
      stop: () => clearInterval(timer),
    };
  },
  async close(service) {
    (service as LastUsed & { stop(): void }).stop(); // made above
    await service.flush();
  },
});
