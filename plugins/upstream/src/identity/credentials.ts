import { ServiceError, token, type Caller, type Headers } from '@service-mcp/core';

/** Headers that hold a credential. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** Names the gateways that a request has come through, by ids of their own. */
const GATEWAYS_HEADER = 'x-service-gateway';

/**
 * The credentials of callers. They hang on the Caller object itself, for as long as it lives: in no field of it that
 * could be logged, and in no table that could be read for somebody else.
 */
export class Credentials {
  readonly #id = crypto.randomUUID();
  readonly #own: CredentialHeaders;
  readonly #held = new WeakMap<Caller, CredentialHeaders>();

  constructor(apiKey: string | undefined) {
    const key = apiKey === undefined ? {} : { 'x-service-api-key': apiKey };
    this.#own = { ...key, [GATEWAYS_HEADER]: this.#id };
  }

  /**
   * The header that tells the next one where a request has been, itself included. Throws UNAVAILABLE for one that has
   * been here: it would go round until nothing is left to go round with.
   */
  trail(request: Headers): CredentialHeaders {
    const before = [request[GATEWAYS_HEADER] ?? []].flat().join(',');
    if (before.includes(this.#id)) {
      throw new ServiceError(
        'UNAVAILABLE',
        'SERVICE_API_URL of this gateway leads back to the gateway itself. Its operator gives the address of the service there.',
      );
    }
    return { [GATEWAYS_HEADER]: before === '' ? this.#id : `${before.slice(-1000)},${this.#id}` };
  }

  /** Of the gateway itself, for who sends none and for what it asks on its own account. */
  get own(): CredentialHeaders {
    return this.#own;
  }

  hold(caller: Caller, headers: CredentialHeaders): Caller {
    this.#held.set(caller, headers);
    return caller;
  }

  /** What is sent for a caller: never another's, and never the gateway's for who has one of his own. */
  of(caller: Caller): CredentialHeaders {
    const held = this.#held.get(caller);
    if (held) return held;
    if (caller.kind === 'owner') return this.#own;
    if (caller.kind === 'anonymous') return {};
    throw new Error('a caller that this gateway did not authenticate');
  }
}
export const CallerCredentials = token<Credentials>('upstream.CallerCredentials');
