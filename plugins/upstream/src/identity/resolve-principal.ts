import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, type Selection } from '@service-mcp/core';
import { toolResult } from '../catalog/tool-result.js';
import { unavailable } from '../connection/connection-errors.js';
import { withClient, type ServiceAccess } from '../connection/call-client.js';
import type { CredentialHeaders } from './credentials.js';

/** How long an accepted credential is cached for responses of the gateway itself; the service verifies every call. */
const ACCEPTED_TTL_MS = 30_000;
const MAX_PRINCIPALS = 10_000;
/** Timeouts of asking the service, and a service that seems to be unavailable. */
const REQUEST_TIMEOUT_MS = 3_000;
const AWAY_TIMEOUT_MS = 1_000;
/** How long a call waits when acceptance is not required: it needs the principal only as a key for its session. */
const LOOKUP_TIMEOUT_MS = 300;
const EVERYTHING: Selection = { toolsets: ['*'], readOnly: false };

/**
 * The principal of a credential, as an opaque id: the same for other credentials of the same login, such as a refreshed
 * token, and unique to it. `id` is the hash of the credential. Throws UNAUTHENTICATED for a credential that the service
 * rejects. When the service is unavailable, `mustBeAccepted` throws UNAVAILABLE; else the hash is the principal.
 */
export type ResolvePrincipal = (
  id: string,
  credential: CredentialHeaders,
  options: { readonly mustBeAccepted: boolean },
) => Promise<string>;

interface CachedPrincipal {
  readonly principal: string;
  readonly acceptedUntil: number;
}

/** Asks the service for the principal and caches it. Rejections are not cached: a key may become valid. */
export function createPrincipalResolver(
  access: Omit<ServiceAccess, 'credential'>,
  isAway: () => boolean,
): ResolvePrincipal {
  const { base } = access.connection;
  const cache = new Map<string, CachedPrincipal>(); // in order of use
  const running = new Map<string, Promise<CachedPrincipal>>();

  function store(id: string, entry: CachedPrincipal): CachedPrincipal {
    cache.delete(id);
    cache.set(id, entry);
    const [oldest] = cache.keys();
    if (cache.size > MAX_PRINCIPALS && oldest !== undefined) cache.delete(oldest);
    return entry;
  }

  async function ask(id: string, credential: CredentialHeaders): Promise<CachedPrincipal> {
    const signal = AbortSignal.timeout(isAway() ? AWAY_TIMEOUT_MS : REQUEST_TIMEOUT_MS);
    const call = { selection: EVERYTHING, requestId: crypto.randomUUID(), signal };
    const params = { name: 'auth_me', arguments: {} };
    const principal = await withClient({ ...access, credential }, call, async (client, options) => {
      const result = toolResult(await client.request({ method: 'tools/call', params }, options));
      return result.kind === 'complete' ? principalOf(result.structured) : undefined;
    }).catch((thrown: unknown) => {
      if (!(thrown instanceof ServiceError)) throw thrown;
      if (thrown.code === 'UNKNOWN_TOOL') return undefined; // accepted by a service without auth_me
      throw thrown.code === 'DEADLINE_EXCEEDED' ? unavailable(base, 'it does not respond') : thrown;
    });
    // A principal never changes: sessions are keyed by it.
    const stable = cache.get(id)?.principal ?? principal ?? id;
    return store(id, { principal: stable, acceptedUntil: Date.now() + ACCEPTED_TTL_MS });
  }

  return async (id, credential, { mustBeAccepted }) => {
    const known = cache.get(id);
    if (known && (!mustBeAccepted || known.acceptedUntil > Date.now())) return store(id, known).principal;
    const pending = running.get(id) ?? ask(id, credential).finally(() => running.delete(id));
    running.set(id, pending);
    if (mustBeAccepted) return (await pending).principal;
    try {
      const entry = await Promise.race([pending, sleep(LOOKUP_TIMEOUT_MS, undefined, { ref: false })]);
      if (entry) return entry.principal;
      pending.catch(() => undefined);
    } catch (thrown) {
      if (thrown instanceof ServiceError && thrown.code === 'UNAUTHENTICATED') throw thrown;
    }
    return store(id, { principal: id, acceptedUntil: 0 }).principal;
  };
}

/** From the result of `auth_me`: the person, the kind of credential, and the id of a key. */
function principalOf({ id, credential }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof id !== 'string') return undefined;
  const { kind, key_id: key } = (credential ?? {}) as { kind?: unknown; key_id?: unknown }; // parsed JSON
  return hash('sha256', JSON.stringify([id, kind, key]), 'base64url');
}
