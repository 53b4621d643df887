import { errors, type Adapter } from 'oidc-provider';
import type { ClientStore } from './client-store.js';
import type { Grants } from './grant-store.js';
import { translateOutages } from './translate-outages.js';
import { recentlyConsumed } from './refresh-grace.js';
import type { RecordStore } from './record-store.js';

export interface Stores {
  readonly records: RecordStore;
  readonly grants: Grants;
  readonly clients: ClientStore;
}

/** A code reused within this time is a client retry: the tokens of the first request stay valid. */
const CODE_GRACE_MS = 10_000;
const MAX_TTL_SECONDS = 365 * 24 * 60 * 60;

/** Storage for oidc-provider, by model. `clientName` gives the name for the account page. */
export function createAdapter(
  { records, grants, clients }: Stores,
  clientName: (clientId: string) => Promise<string>,
): (model: string) => Adapter {
  const clientAdapter: Adapter = {
    ...unstored,
    upsert: (id, payload) => clients.put(id, payload),
    find: (id) => clients.find(id),
    destroy: (id) => clients.remove(id),
  };
  const grantAdapter: Adapter = {
    ...unstored,
    async upsert(id, payload, ttl) {
      await grants.put(id, payload, ttl ?? MAX_TTL_SECONDS, await clientName(String(payload.clientId)));
    },
    find: (id) => grants.find(id),
    destroy: grants.remove,
    revokeByGrantId: grants.remove,
  };
  return (model) => {
    if (model === 'Session') return unstored;
    const stored =
      model === 'Client' ? clientAdapter : model === 'Grant' ? grantAdapter : recordAdapter(model, records);
    return translateOutages(stored);
  };
}

function recordAdapter(model: string, records: RecordStore): Adapter {
  return {
    ...unstored,
    upsert: (id, payload, ttl) => records.put(model, id, payload, ttl ?? MAX_TTL_SECONDS),
    async find(id) {
      const found = await records.find(model, id);
      if (!found) return undefined;
      const { consumedAt } = found;
      if (consumedAt === undefined) return found.payload;
      const isRecent =
        model === 'RefreshToken'
          ? recentlyConsumed(consumedAt, records.now())
          : records.now() - consumedAt < CODE_GRACE_MS;
      if (isRecent) throw alreadyUsed();
      return { ...found.payload, consumed: Math.floor(consumedAt / 1000) };
    },
    async consume(id) {
      if (!(await records.consume(model, id))) throw alreadyUsed();
    },
    destroy: (id) => records.remove(model, id),
    revokeByGrantId: (grantId) => records.removeByGrant(grantId),
  };
}

/** A model without storage: logins use our own session cookie, so the library's sessions are not stored. */
const unstored: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  destroy: async () => undefined,
  consume: unsupported,
  revokeByGrantId: unsupported,
};

async function unsupported(): Promise<never> {
  throw new Error('the model does not support this operation');
}

function alreadyUsed() {
  return new errors.InvalidGrant('it was already used');
}
