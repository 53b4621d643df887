import { token, type Caller } from '@service-mcp/core';

/** Headers that hold a credential. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/**
 * The credentials of callers. They hang on the Caller object itself, for as long as it lives: in no field of it that
 * could be logged, and in no table that could be read for somebody else.
 */
export class Credentials {
  readonly #own: CredentialHeaders;
  readonly #held = new WeakMap<Caller, CredentialHeaders>();

  constructor(apiKey: string | undefined) {
    this.#own = apiKey === undefined ? {} : { 'x-service-api-key': apiKey };
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
