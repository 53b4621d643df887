import { ServiceError, token, type Caller, type Headers } from '@service-mcp/core';

/** Headers with a credential. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** Ids of the gateways that a request has passed. */
const GATEWAYS_HEADER = 'x-service-gateway';

/**
 * The credentials of callers, in a WeakMap keyed by the Caller object: not in a field that could be logged, and not in
 * a table that could return another caller's.
 */
export class Credentials {
  readonly #id = crypto.randomUUID();
  readonly #own: CredentialHeaders;
  readonly #headers = new WeakMap<Caller, CredentialHeaders>();

  constructor(apiKey: string | undefined) {
    const key = apiKey === undefined ? {} : { 'x-service-api-key': apiKey };
    this.#own = { ...key, [GATEWAYS_HEADER]: this.#id };
  }

  /**
   * The header with the gateways that a request has passed, including this one. Throws UNAVAILABLE for a request that
   * was already here, which would loop.
   */
  trail(request: Headers): CredentialHeaders {
    const before = [request[GATEWAYS_HEADER] ?? []].flat().join(',');
    if (before.includes(this.#id)) {
      throw new ServiceError(
        'UNAVAILABLE',
        'SERVICE_API_URL of this gateway leads back to the gateway itself. Its operator must set it to the address of the service.',
      );
    }
    return { [GATEWAYS_HEADER]: before === '' ? this.#id : `${before.slice(-1000)},${this.#id}` };
  }

  /** The gateway's own credential, for callers without one and for its own requests. */
  get own(): CredentialHeaders {
    return this.#own;
  }

  attach(caller: Caller, headers: CredentialHeaders): Caller {
    this.#headers.set(caller, headers);
    return caller;
  }

  /** The headers for a caller: never another caller's, and the gateway's own only for the local owner. */
  of(caller: Caller): CredentialHeaders {
    const headers = this.#headers.get(caller);
    if (headers) return headers;
    if (caller.kind === 'owner') return this.#own;
    if (caller.kind === 'anonymous') return {};
    throw new Error('this gateway did not authenticate the caller');
  }
}
export const CallerCredentials = token<Credentials>('upstream.CallerCredentials');
