import type { Clock, Database } from '@service-mcp/core';
import { DAY_MS } from '../config.js';
import { digestOf } from '../services/secrets.js';
import type { Payload } from './record-store.js';

/** Format of our client ids. Other text may contain characters that a database rejects. */
const REGISTERED = /^[\w-]{1,128}$/;

interface ClientRow {
  readonly id: string;
  readonly metadata: string;
  readonly used_at: number;
}

export type ClientStore = ReturnType<typeof createClientStore>;

/** Dynamically registered clients, in `oauth_clients`. Client secrets are stored as digests. */
export function createClientStore({ database, clock }: { database: Database; clock: Clock }) {
  const clients = () => database.sql<ClientRow>('oauth_clients');
  const now = () => clock.now().getTime();
  return {
    async put(id: string, metadata: Payload): Promise<void> {
      const { client_secret: secret } = metadata;
      const stored = secret === undefined ? metadata : { ...metadata, client_secret: digestOf(secret) };
      await clients()
        .insert({ id, metadata: JSON.stringify(stored), used_at: now() })
        .onConflict('id')
        .merge(['metadata']);
    },
    async find(id: string): Promise<Payload | undefined> {
      const row = REGISTERED.test(id) ? await clients().where({ id }).first('metadata') : undefined;
      return row && (JSON.parse(row.metadata) as Payload);
    },
    async remove(id: string): Promise<void> {
      await clients().where({ id }).delete();
    },
    /** Records that a client got tokens, at most once a day. */
    async touch(id: string): Promise<void> {
      const used = clients()
        .where({ id })
        .where('used_at', '<', now() - DAY_MS);
      await used.update({ used_at: now() });
    },
  };
}
