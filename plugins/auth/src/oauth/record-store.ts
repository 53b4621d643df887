import { createHash } from 'node:crypto';
import type { Clock, Database } from '@service-mcp/core';

/** What oidc-provider stores through its adapter, as plain JSON. */
export type Payload = Record<string, unknown>;

/** When a code or refresh token was consumed, and the reply. */
export interface Consumption {
  readonly consumedAt: number | undefined;
  readonly reply: string | undefined;
}

interface RecordRow {
  key: string;
  payload: string;
  expires_at: number | string;
  consumed_at: number | string | null;
  reply: string | null;
}

/** Placeholder for the identifier inside a stored payload; JSON never contains it unescaped. */
const OMITTED = '\u0001';

/** Primary key of a code, token or interaction: its digest. */
export function recordKey(model: string, id: string): string {
  return createHash('sha256').update(`${model}:${id}`).digest('hex');
}

/** Restores a stored payload. */
export function readPayload(stored: string, id: string): Payload {
  return JSON.parse(stored.replaceAll(OMITTED, id)) as Payload;
}

/** Codes, tokens and interactions in `oauth_records`. */
export class RecordStore {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  get now(): number {
    return this.#clock.now().getTime();
  }

  async put(model: string, id: string, payload: Payload, ttlSeconds: number): Promise<void> {
    const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : null);
    await this.#database
      .sql('oauth_records')
      .insert({
        key: recordKey(model, id),
        model,
        grant_id: text('grantId'),
        user_id: text('accountId'),
        client_id: text('clientId'),
        payload: JSON.stringify(payload).replaceAll(id, OMITTED),
        expires_at: this.now + ttlSeconds * 1000,
      })
      .onConflict('key')
      .merge(['payload', 'expires_at']);
  }

  async find(model: string, id: string): Promise<(Consumption & { readonly payload: Payload }) | undefined> {
    const row = await this.#database
      .sql<RecordRow>('oauth_records')
      .where({ key: recordKey(model, id) })
      .first();
    if (!row || Number(row.expires_at) <= this.now) return undefined;
    return {
      payload: readPayload(row.payload, id),
      consumedAt: row.consumed_at === null ? undefined : Number(row.consumed_at),
      reply: row.reply ?? undefined,
    };
  }

  /** Consumes it. Of several concurrent calls exactly one returns true. */
  async consume(model: string, id: string): Promise<boolean> {
    const updated = await this.#database
      .sql('oauth_records')
      .where({ key: recordKey(model, id) })
      .whereNull('consumed_at')
      .update({ consumed_at: this.now });
    return updated === 1;
  }

  /** Stores the encrypted reply to the refresh that consumed a token. */
  async saveReply(model: string, id: string, reply: string): Promise<void> {
    await this.#database
      .sql('oauth_records')
      .where({ key: recordKey(model, id) })
      .update({ reply });
  }

  async remove(model: string, id: string): Promise<void> {
    await this.#database
      .sql('oauth_records')
      .where({ key: recordKey(model, id) })
      .delete();
  }

  /** Removes the codes, access tokens and refresh tokens of a grant. */
  async removeByGrant(grantId: string): Promise<void> {
    await this.#database.sql('oauth_records').where({ grant_id: grantId }).delete();
  }
}
