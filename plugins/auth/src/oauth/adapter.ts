import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { ClientStore } from './client-store.js';
import type { GrantStore } from './grant-store.js';
import { recentlyConsumed } from './refresh-grace.js';
import type { Payload, RecordStore } from './record-store.js';

export interface Stores {
  readonly records: RecordStore;
  readonly grants: GrantStore;
  readonly clients: ClientStore;
}

/** A code reused within this time is a client retry: the tokens of the first request stay valid. */
const CODE_GRACE_MS = 10_000;
const MAX_TTL_SECONDS = 365 * 24 * 60 * 60;

/** Storage for oidc-provider, by model. `clientName` gives the name for the account page. */
export function createAdapter(
  stores: Stores,
  clientName: (clientId: string) => Promise<string>,
): (model: string) => Adapter {
  return (model) => {
    if (model === 'Client') return clientAdapter(stores);
    if (model === 'Grant') return grantAdapter(stores, clientName);
    if (model === 'Session') return noSessions;
    return recordAdapter(model, stores);
  };
}

function recordAdapter(model: string, { records }: Stores): Adapter {
  return {
    upsert: (id, payload, ttl) => records.put(model, id, plain(payload), ttl ?? MAX_TTL_SECONDS),
    async find(id) {
      const found = await records.find(model, id);
      if (!found) return undefined;
      const { consumedAt } = found;
      if (consumedAt === undefined) return found.payload;
      const isRecent =
        model === 'RefreshToken'
          ? recentlyConsumed(consumedAt, records.now)
          : records.now - consumedAt < CODE_GRACE_MS;
      if (isRecent) throw alreadyUsed();
      return { ...found.payload, consumed: Math.floor(consumedAt / 1000) };
    },
    async consume(id) {
      if (!(await records.consume(model, id))) throw alreadyUsed();
    },
    destroy: (id) => records.remove(model, id),
    revokeByGrantId: (grantId) => records.removeByGrant(grantId),
    ...unused,
  };
}

function clientAdapter({ clients }: Stores): Adapter {
  return {
    upsert: (id, payload) => clients.put(id, plain(payload)),
    find: (id) => clients.find(id),
    destroy: (id) => clients.remove(id),
    consume: unsupported,
    revokeByGrantId: unsupported,
    ...unused,
  };
}

function grantAdapter({ grants }: Stores, clientName: (clientId: string) => Promise<string>): Adapter {
  return {
    async upsert(id, payload, ttl) {
      const name = await clientName(String(payload.clientId));
      await grants.put(id, plain(payload), ttl ?? MAX_TTL_SECONDS, name);
    },
    find: (id) => grants.find(id),
    destroy: (id) => grants.remove(id),
    consume: unsupported,
    revokeByGrantId: (id) => grants.remove(id),
    ...unused,
  };
}

/** Logins use our own session cookie, so the library's sessions are not stored. */
const noSessions: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  destroy: async () => undefined,
  consume: unsupported,
  revokeByGrantId: unsupported,
};

const unused = { findByUid: async () => undefined, findByUserCode: async () => undefined };

async function unsupported(): Promise<never> {
  throw new Error('the model does not support this operation');
}

function plain(payload: AdapterPayload): Payload {
  return { ...payload };
}

function alreadyUsed() {
  return new errors.InvalidGrant('it was already used');
}
