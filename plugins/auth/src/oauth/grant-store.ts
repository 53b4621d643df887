import { Clock, Database, provide, token, type Sql } from '@service-mcp/core';
import { CredentialUsage } from '../services/credential-usage.js';
import type { Payload } from './record-store.js';

/** An application that a person authorized. */
export interface Connection {
  /** Of the latest consent. */
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  /** Time of the latest consent, in milliseconds since the epoch. */
  readonly since: number;
  /** RFC 3339, to the minute. */
  readonly lastUsedAt: string | null;
  /** Of every consent: tokens of an earlier one live on beside those of the latest. */
  readonly scopes: readonly string[];
}

/** A row of `oauth_grants`. */
interface GrantRow {
  readonly id: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly payload: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly last_used_at: string | null;
}

export type Grants = ReturnType<typeof createGrants>;
export const Grants = token<Grants>('auth.Grants');
export const grants = provide(Grants, {
  uses: { database: Database, clock: Clock, usage: CredentialUsage },
  create: createGrants,
});

/** Consents, in `oauth_grants`. Deleting a grant deletes its tokens. */
function createGrants({
  database,
  clock,
  usage,
}: {
  database: Database;
  clock: Clock;
  usage: CredentialUsage;
}) {
  const stored = () => database.sql<GrantRow>('oauth_grants');
  const now = () => clock.now().getTime();
  const remove = (which: { id: string } | { user_id: string; client_id: string }) =>
    database.transaction((sql) => revokeGrants(sql, which));
  return {
    async put(id: string, payload: Payload, ttlSeconds: number, clientName: string): Promise<void> {
      const { accountId: user_id, clientId: client_id } = payload;
      if (user_id === undefined || client_id === undefined)
        throw new Error('a grant needs an account and a client');
      const grant = {
        id,
        user_id,
        client_id,
        client_name: clientName,
        payload: JSON.stringify(payload),
        created_at: now(),
        expires_at: now() + ttlSeconds * 1000,
      };
      await stored().insert(grant).onConflict('id').merge(['payload', 'expires_at']);
    },
    async find(id: string): Promise<Payload | undefined> {
      const row = await stored().where({ id }).where('expires_at', '>', now()).first('payload');
      return row && (JSON.parse(row.payload) as Payload);
    },
    remove: (id: string) => remove({ id }),
    /** Disconnects one application of a person, with all of its consents. False when there is none. */
    async disconnect(user_id: string, which: { id: string } | { client_id: string }): Promise<boolean> {
      const grant = await stored()
        .where({ user_id, ...which })
        .first('client_id');
      if (grant) await remove({ user_id, client_id: grant.client_id });
      return grant !== undefined;
    },
    /** The applications of a person, latest consent first. Uses that this process has seen count, those of others a little later. */
    async connections(userId: string): Promise<Connection[]> {
      await usage.flush();
      const rows = await stored()
        .where({ user_id: userId })
        .where('expires_at', '>', now())
        .orderBy('created_at', 'desc');
      const consents = new Map<string, GrantRow[]>();
      for (const row of rows) {
        const { client_id: client } = row;
        const earlier = consents.get(client);
        if (earlier) earlier.push(row);
        else consents.set(client, [row]);
      }
      return [...consents].map(([client, ofClient]) => connectionOf(client, ofClient));
    },
  };
}

function connectionOf(clientId: string, consents: readonly GrantRow[]): Connection {
  const [latest] = consents as readonly [GrantRow]; // a group is never empty
  const uses = consents.flatMap(({ last_used_at }) => last_used_at ?? []).toSorted();
  const granted = consents.flatMap(({ payload }) =>
    Object.values((JSON.parse(payload) as Payload).resources ?? {}).flatMap((scopes) => scopes.split(' ')),
  );
  return {
    id: latest.id,
    clientId,
    clientName: latest.client_name,
    since: latest.created_at,
    lastUsedAt: uses.at(-1) ?? null,
    scopes: [...new Set(granted.filter(Boolean))],
  };
}

/** Deletes grants and their tokens; `sql` is a transaction. */
export async function revokeGrants(
  sql: Sql,
  which: { id: string } | { user_id: string; client_id?: string },
): Promise<void> {
  const revoked = sql('oauth_grants').where(which).select('id');
  await sql('oauth_records').whereIn('grant_id', revoked).delete();
  await sql('oauth_grants').where(which).delete();
}
