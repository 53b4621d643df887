import { hash } from 'node:crypto';
import type { AdapterPayload } from 'oidc-provider';
import type { Clock, Database } from '@service-mcp/core';

/** A record of oidc-provider, as its adapter gets it: plain JSON. */
export type Payload = AdapterPayload;

/** Consumption of a code or refresh token, with the reply to a refresh. */
export interface Consumption {
  readonly consumedAt: number | undefined;
  readonly reply: string | undefined;
}

interface RecordRow {
  readonly key: string;
  readonly model: string;
  readonly grant_id: string | null;
  readonly user_id: string | null;
  readonly client_id: string | null;
  readonly payload: string;
  readonly expires_at: number;
  readonly consumed_at: number | null;
  readonly reply: string | null;
}

/** Placeholder for the identifier inside a stored payload; JSON never contains it unescaped. */
const OMITTED = '\u0001';

/** Primary key of a code, token or interaction: its digest. */
export function recordKey(model: string, id: string): string {
  return hash('sha256', `${model}:${id}`, 'hex');
}

/** Restores a stored payload. */
export function readPayload(stored: string, id: string): Payload {
  return JSON.parse(stored.replaceAll(OMITTED, id)) as Payload;
}

export type RecordStore = ReturnType<typeof createRecordStore>;

/** Codes, tokens and interactions in `oauth_records`. */
export function createRecordStore({ database, clock }: { database: Database; clock: Clock }) {
  const records = () => database.sql<RecordRow>('oauth_records');
  const one = (model: string, id: string) => records().where({ key: recordKey(model, id) });
  const now = () => clock.now().getTime();
  return {
    now,
    async put(model: string, id: string, payload: Payload, ttlSeconds: number): Promise<void> {
      await records()
        .insert({
          key: recordKey(model, id),
          model,
          grant_id: payload.grantId ?? null,
          user_id: payload.accountId ?? null,
          client_id: payload.clientId ?? null,
          payload: JSON.stringify(payload).replaceAll(id, OMITTED),
          expires_at: now() + ttlSeconds * 1000,
        })
        .onConflict('key')
        .merge(['payload', 'expires_at']);
    },
    async find(
      model: string,
      id: string,
    ): Promise<(Consumption & { readonly payload: Payload }) | undefined> {
      const row = await one(model, id).first();
      if (!row || row.expires_at <= now()) return undefined;
      return {
        payload: readPayload(row.payload, id),
        consumedAt: row.consumed_at ?? undefined,
        reply: row.reply ?? undefined,
      };
    },
    /** Consumes it. Of several concurrent calls exactly one returns true. */
    async consume(model: string, id: string): Promise<boolean> {
      return (await one(model, id).whereNull('consumed_at').update({ consumed_at: now() })) === 1;
    },
    /** Stores the encrypted reply to the refresh that consumed a token. */
    async saveReply(model: string, id: string, reply: string): Promise<void> {
      await one(model, id).update({ reply });
    },
    async remove(model: string, id: string): Promise<void> {
      await one(model, id).delete();
    },
    /** Removes the codes, access tokens and refresh tokens of a grant. */
    async removeByGrant(grantId: string): Promise<void> {
      await records().where({ grant_id: grantId }).delete();
    },
  };
}
