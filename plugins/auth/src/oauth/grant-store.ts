import { token, type Clock, type Database, type Sql } from '@service-mcp/core';
import type { Payload } from './record-store.js';

/** An application that a person authorized. */
export interface Connection {
  readonly clientId: string;
  readonly clientName: string;
  /** Time of the latest consent, in milliseconds since the epoch. */
  readonly since: number;
}

/** A row of `oauth_grants`. */
interface GrantRow {
  readonly id: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly payload: string;
  readonly created_at: number | string;
  readonly expires_at: number | string;
}

/** Consents, in `oauth_grants`. Deleting a grant deletes its tokens. */
export class GrantStore {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async put(id: string, payload: Payload, ttlSeconds: number, clientName: string): Promise<void> {
    const now = this.#clock.now().getTime();
    await this.#database
      .sql('oauth_grants')
      .insert({
        id,
        user_id: payload['accountId'],
        client_id: payload['clientId'],
        client_name: clientName,
        payload: JSON.stringify(payload),
        created_at: now,
        expires_at: now + ttlSeconds * 1000,
      })
      .onConflict('id')
      .merge(['payload', 'expires_at']);
  }

  async find(id: string): Promise<Payload | undefined> {
    const row = await this.#database
      .sql<GrantRow>('oauth_grants')
      .where({ id })
      .where('expires_at', '>', this.#clock.now().getTime())
      .first('payload');
    return row && (JSON.parse(row.payload) as Payload);
  }

  async remove(id: string): Promise<void> {
    await this.#database.transaction((sql) => this.revoke(sql, { id }));
  }

  /** The applications of a person, latest consent first. */
  async connections(userId: string): Promise<Connection[]> {
    const { sql } = this.#database;
    const rows = await sql<GrantRow>('oauth_grants')
      .where({ user_id: userId })
      .where('expires_at', '>', this.#clock.now().getTime())
      .orderBy('created_at', 'desc')
      .select('client_id', 'client_name', 'created_at');
    const byClient = new Map<string, Connection>();
    for (const row of rows) {
      if (byClient.has(row.client_id)) continue;
      const [clientId, clientName, since] = [row.client_id, row.client_name, Number(row.created_at)];
      byClient.set(row.client_id, { clientId, clientName, since });
    }
    return [...byClient.values()];
  }

  /** Disconnects one application of a person. */
  async disconnect(userId: string, clientId: string): Promise<void> {
    await this.#database.transaction((sql) => this.revoke(sql, { user_id: userId, client_id: clientId }));
  }

  /** Deletes grants and their tokens; `sql` is a transaction. */
  async revoke(sql: Sql, which: { id: string } | { user_id: string; client_id?: string }): Promise<void> {
    const revoked = sql('oauth_grants').where(which).select('id');
    await sql('oauth_records').whereIn('grant_id', revoked).delete();
    await sql('oauth_grants').where(which).delete();
  }
}
export const Grants = token<GrantStore>('auth.Grants');
