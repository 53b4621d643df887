import { ServiceError, type Selection } from '@service-mcp/core';
import { away } from '../connection/failures.js';
import { inOneCall, type Asking } from '../connection/one-call.js';
import type { CredentialHeaders } from './credentials.js';

/** How long the service's word on a credential holds for what the gateway itself answers; calls it judges each time. */
const HOLDS_MS = 30_000;
const MOST = 10_000;
const ASKING_MS = 3_000;
const UNASKED: Selection = { toolsets: [], readOnly: false };

/** Resolves where the service accepts a credential; throws UNAUTHENTICATED, or UNAVAILABLE where it cannot be asked. */
export type Accept = (id: string, credential: CredentialHeaders) => Promise<void>;

/** Asks the service about credentials, once in a while for each. A refusal is never kept: a key may be made good. */
export function createAccept(asking: Omit<Asking, 'credential'>): Accept {
  const acceptedUntil = new Map<string, number>(); // in order of time
  const running = new Map<string, Promise<void>>();

  async function ask(id: string, credential: CredentialHeaders): Promise<void> {
    const signal = AbortSignal.timeout(ASKING_MS);
    const call = { selection: UNASKED, requestId: crypto.randomUUID(), signal };
    try {
      await inOneCall({ ...asking, credential }, call, (client, options) => client.discover(options));
    } catch (thrown) {
      if (thrown instanceof ServiceError && thrown.code === 'DEADLINE_EXCEEDED')
        throw away(asking.connection.base, 'it does not answer');
      throw thrown;
    }
    acceptedUntil.delete(id);
    acceptedUntil.set(id, Date.now() + HOLDS_MS);
    for (const [oldest, until] of acceptedUntil) {
      if (acceptedUntil.size <= MOST && until > Date.now()) break;
      acceptedUntil.delete(oldest);
    }
  }

  return (id, credential) => {
    if ((acceptedUntil.get(id) ?? 0) > Date.now()) return Promise.resolve();
    const asked = running.get(id) ?? ask(id, credential).finally(() => running.delete(id));
    running.set(id, asked);
    return asked;
  };
}
