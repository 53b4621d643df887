import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, type Selection } from '@service-mcp/core';
import { toolResult } from '../catalog/result.js';
import { away } from '../connection/failures.js';
import { inOneCall, type Asking } from '../connection/one-call.js';
import type { CredentialHeaders } from './credentials.js';

/** How long the service's word on a credential holds for what the gateway itself answers; calls it judges each time. */
const HOLDS_MS = 30_000;
const MOST = 10_000;
/** How long it is asked for, and how long a service that seems to be away. */
const ASKING_MS = 3_000;
const ASKING_AWAY_MS = 1_000;
/** How long a call waits for it that needs no more than a name to keep its session under. */
const PATIENCE_MS = 300;
const EVERYTHING: Selection = { toolsets: ['*'], readOnly: false };

/**
 * Who is behind a credential, as a text without meaning: the same for another credential of the same login, such as a
 * token that was refreshed, and for none of anybody else's. `id` is the hash of the credential. Throws UNAUTHENTICATED
 * for one that the service refuses. Where the service cannot be asked, `mustBeAccepted` throws UNAVAILABLE; else the
 * credential alone tells who it is.
 */
export type Judge = (
  id: string,
  credential: CredentialHeaders,
  options: { readonly mustBeAccepted: boolean },
) => Promise<string>;

interface Word {
  readonly principal: string;
  readonly acceptedUntil: number;
}

/** Asks the service who is behind a credential, once in a while for each. A refusal is never kept: a key may be made good. */
export function createJudge(asking: Omit<Asking, 'credential'>, isAway: () => boolean): Judge {
  const { base } = asking.connection;
  const words = new Map<string, Word>(); // in order of use
  const running = new Map<string, Promise<Word>>();

  function keep(id: string, word: Word): Word {
    words.delete(id);
    words.set(id, word);
    const [oldest] = words.keys();
    if (words.size > MOST && oldest !== undefined) words.delete(oldest);
    return word;
  }

  async function ask(id: string, credential: CredentialHeaders): Promise<Word> {
    const signal = AbortSignal.timeout(isAway() ? ASKING_AWAY_MS : ASKING_MS);
    const call = { selection: EVERYTHING, requestId: crypto.randomUUID(), signal };
    const params = { name: 'auth_me', arguments: {} };
    const principal = await inOneCall({ ...asking, credential }, call, async (client, options) => {
      const result = toolResult(await client.request({ method: 'tools/call', params }, options));
      return result.kind === 'complete' ? principalOf(result.structured) : undefined;
    }).catch((thrown: unknown) => {
      if (!(thrown instanceof ServiceError)) throw thrown;
      if (thrown.code === 'UNKNOWN_TOOL') return undefined; // accepted, by a service that does not tell who it is
      throw thrown.code === 'DEADLINE_EXCEEDED' ? away(base, 'it does not answer') : thrown;
    });
    // Who was once taken for somebody stays who that was: sessions are kept under it.
    const called = words.get(id)?.principal ?? principal ?? id;
    return keep(id, { principal: called, acceptedUntil: Date.now() + HOLDS_MS });
  }

  return async (id, credential, { mustBeAccepted }) => {
    const known = words.get(id);
    if (known && (!mustBeAccepted || known.acceptedUntil > Date.now())) return keep(id, known).principal;
    const asked = running.get(id) ?? ask(id, credential).finally(() => running.delete(id));
    running.set(id, asked);
    if (mustBeAccepted) return (await asked).principal;
    try {
      const word = await Promise.race([asked, sleep(PATIENCE_MS, undefined, { ref: false })]);
      if (word) return word.principal;
      asked.catch(() => undefined);
    } catch (thrown) {
      if (thrown instanceof ServiceError && thrown.code === 'UNAUTHENTICATED') throw thrown;
    }
    return keep(id, { principal: id, acceptedUntil: 0 }).principal;
  };
}

/** From what `auth_me` tells: the person, the kind of credential, and the key where it is one. */
function principalOf({ id, credential }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof id !== 'string') return undefined;
  const { kind, key_id: key } = (credential ?? {}) as { kind?: unknown; key_id?: unknown }; // told as JSON
  return hash('sha256', JSON.stringify([id, kind, key]), 'base64url');
}
