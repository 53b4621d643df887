import type { Clock, Database } from '@service-mcp/core';
import { DAY_MS } from '../config.js';
import { digestOf } from '../services/secrets.js';
import type { Payload } from './record-store.js';

/** How long a client that got tokens is kept after the last ones. */
export const UNUSED_CLIENT_MS = 90 * DAY_MS;
/** How long a client may take to get its first tokens. Anybody may register as many as they like. */
const NEW_CLIENT_MS = DAY_MS;

/** No longer address of a document is kept: PostgreSQL indexes 2,700 bytes. */
const MAX_ADDRESS_LENGTH = 2000;

/** Format of our client ids. Other text may contain characters that a database rejects. */
const REGISTERED = /^[\w-]{1,128}$/;

interface ClientRow {
  readonly id: string;
  readonly metadata: string;
  /** When it got tokens last; of one without any, so far back that the sweep removes it after {@link NEW_CLIENT_MS}. */
  readonly used_at: number;
}

export type ClientStore = ReturnType<typeof createClientStore>;

/**
 * Dynamically registered clients, in `oauth_clients`, and by their addresses the client-id documents of those that got
 * tokens. Client secrets are stored as digests.
 */
export function createClientStore({ database, clock }: { database: Database; clock: Clock }) {
  const clients = () => database.sql<ClientRow>('oauth_clients');
  const now = () => clock.now().getTime();
  return {
    async put(id: string, metadata: Payload): Promise<void> {
      const { client_secret: secret } = metadata;
      const stored = secret === undefined ? metadata : { ...metadata, client_secret: digestOf(secret) };
      await clients()
        .insert({ id, metadata: JSON.stringify(stored), used_at: now() - UNUSED_CLIENT_MS + NEW_CLIENT_MS })
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
    /** Keeps the metadata of a client that got tokens, for when its document cannot be fetched. */
    async keepDocument(url: string, document: unknown): Promise<void> {
      if (url.length > MAX_ADDRESS_LENGTH) return;
      const metadata = JSON.stringify(document);
      const kept = await clients().where({ id: url }).first();
      if (kept?.metadata === metadata && kept.used_at >= now() - DAY_MS) return;
      await clients()
        .insert({ id: url, metadata, used_at: now() })
        .onConflict('id')
        .merge(['metadata', 'used_at']);
    },
    async keptDocument(url: string): Promise<unknown> {
      const row = await clients().where({ id: url }).first('metadata');
      return row && JSON.parse(row.metadata);
    },
  };
}
