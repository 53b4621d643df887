import { createHash } from 'node:crypto';
import type { Clock, Database } from '@service-mcp/core';
import type { Payload } from './record-store.js';

/** Format of our client ids. Other text may contain characters that a database rejects. */
const REGISTERED = /^[\w-]{1,128}$/;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Client secrets are stored as digests. */
export function secretDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Dynamically registered clients, in `oauth_clients`. */
export class ClientStore {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async put(id: string, metadata: Payload): Promise<void> {
    const secret = metadata['client_secret'];
    const stored =
      typeof secret === 'string' ? { ...metadata, client_secret: secretDigest(secret) } : metadata;
    await this.#database
      .sql('oauth_clients')
      .insert({ id, metadata: JSON.stringify(stored), used_at: this.#clock.now().getTime() })
      .onConflict('id')
      .merge(['metadata']);
  }

  async find(id: string): Promise<Payload | undefined> {
    if (!REGISTERED.test(id)) return undefined;
    const row = await this.#database
      .sql<{ id: string; metadata: string }>('oauth_clients')
      .where({ id })
      .first('metadata');
    return row && (JSON.parse(row.metadata) as Payload);
  }

  async remove(id: string): Promise<void> {
    await this.#database.sql('oauth_clients').where({ id }).delete();
  }

  /** Records that a client got tokens, at most once a day. */
  async touch(id: string): Promise<void> {
    const now = this.#clock.now().getTime();
    await this.#database
      .sql('oauth_clients')
      .where({ id })
      .where('used_at', '<', now - DAY_MS)
      .update({ used_at: now });
  }
}
