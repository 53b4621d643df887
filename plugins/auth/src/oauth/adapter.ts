import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { ClientStore } from './client-store.js';
import type { GrantStore } from './grant-store.js';
import { recentlySpent } from './refresh-grace.js';
import type { Payload, RecordStore } from './record-store.js';

export interface Stores {
  readonly records: RecordStore;
  readonly grants: GrantStore;
  readonly clients: ClientStore;
}

/** A second look at a code this soon is a client that asked twice, and no reason to end what the first one got. */
const CODE_GRACE_MS = 10_000;
const LONGEST_SECONDS = 365 * 24 * 60 * 60;

/** Makes the storage of oidc-provider, model by model. `clientName` tells how to show a client on the account page. */
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
    upsert: (id, payload, ttl) => records.put(model, id, plain(payload), ttl ?? LONGEST_SECONDS),
    async find(id) {
      const found = await records.find(model, id);
      if (!found) return undefined;
      const { consumedAt } = found;
      if (consumedAt === undefined) return found.payload;
      const isRecent =
        model === 'RefreshToken'
          ? recentlySpent(consumedAt, records.now)
          : records.now - consumedAt < CODE_GRACE_MS;
      if (isRecent) throw spent();
      return { ...found.payload, consumed: Math.floor(consumedAt / 1000) };
    },
    async consume(id) {
      if (!(await records.consume(model, id))) throw spent();
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
    consume: never,
    revokeByGrantId: never,
    ...unused,
  };
}

function grantAdapter({ grants }: Stores, clientName: (clientId: string) => Promise<string>): Adapter {
  return {
    async upsert(id, payload, ttl) {
      const name = await clientName(String(payload.clientId));
      await grants.put(id, plain(payload), ttl ?? LONGEST_SECONDS, name);
    },
    find: (id) => grants.find(id),
    destroy: (id) => grants.remove(id),
    consume: never,
    revokeByGrantId: (id) => grants.remove(id),
    ...unused,
  };
}

/** Who is logged in is known by our own session cookie alone. */
const noSessions: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  destroy: async () => undefined,
  consume: never,
  revokeByGrantId: never,
};

const unused = { findByUid: async () => undefined, findByUserCode: async () => undefined };

async function never(): Promise<never> {
  throw new Error('this model cannot do that');
}

function plain(payload: AdapterPayload): Payload {
  return { ...payload };
}

function spent() {
  return new errors.InvalidGrant('it was used already');
}
