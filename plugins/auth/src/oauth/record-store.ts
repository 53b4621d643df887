import { createHash } from 'node:crypto';
import type { Clock, Database } from '@service-mcp/core';

/** What oidc-provider gives its adapter to keep, as plain JSON. */
export type Payload = Record<string, unknown>;

/** How far a code or a refresh token is spent. */
export interface Spent {
  readonly consumedAt: number | undefined;
  readonly reply: string | undefined;
}

interface RecordRow {
  payload: string;
  expires_at: number | string;
  consumed_at: number | string | null;
  reply: string | null;
}

/** Stands for the identifier inside a stored payload; JSON never holds it bare. */
const OMITTED = '\u0001';

/** The digest under which a code, token or interaction is kept. */
export function recordKey(model: string, id: string): string {
  return createHash('sha256').update(`${model}:${id}`).digest('hex');
}

/** A stored payload, whole again. */
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

  async find(model: string, id: string): Promise<(Spent & { readonly payload: Payload }) | undefined> {
    const row = (await this.#database
      .sql('oauth_records')
      .where({ key: recordKey(model, id) })
      .first()) as RecordRow | undefined;
    if (!row || Number(row.expires_at) <= this.now) return undefined;
    return {
      payload: readPayload(row.payload, id),
      consumedAt: row.consumed_at === null ? undefined : Number(row.consumed_at),
      reply: row.reply ?? undefined,
    };
  }

  /** Spends it. Of several at the same time exactly one is told true. */
  async consume(model: string, id: string): Promise<boolean> {
    const spent = await this.#database
      .sql('oauth_records')
      .where({ key: recordKey(model, id) })
      .whereNull('consumed_at')
      .update({ consumed_at: this.now });
    return spent === 1;
  }

  /** Keeps the sealed reply to the refresh that spent a token. */
  async keepReply(model: string, id: string, reply: string): Promise<void> {
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

  /** Removes what came from a grant: codes, access tokens and refresh tokens. */
  async removeByGrant(grantId: string): Promise<void> {
    await this.#database.sql('oauth_records').where({ grant_id: grantId }).delete();
  }
}
