import type { Admission, CallContext } from './caller.js';

/** Everything of a call but its signal. */
export type CallFacts = Omit<CallContext, 'signal'>;

/**
 * A call whose signal is made when it is first asked for: most calls end long before anybody would, and a signal
 * costs more than a trivial call. `signal` is an own property all the same, so that a spread carries it along.
 */
class Call {
  readonly #makeSignal: () => AbortSignal;

  constructor(facts: CallFacts, makeSignal: () => AbortSignal) {
    this.#makeSignal = makeSignal;
    const own = this as Record<string, unknown>; // filled here, with the fields of the facts
    for (const field in facts) if (field !== 'signal') own[field] = facts[field as keyof CallFacts];
    Object.defineProperty(this, 'signal', Call.#signal);
  }

  /** One getter for all, so that all calls have one shape: a getter each would make each a dictionary. */
  static readonly #signal: PropertyDescriptor & ThisType<Call> = {
    enumerable: true,
    get() {
      return this.#makeSignal();
    },
  };
}

/** A call whose signal `makeSignal` makes on demand; it is asked each time, and answers the same each time. */
export function lazyCall(facts: CallFacts, makeSignal: () => AbortSignal): CallContext {
  return new Call(facts, makeSignal) as CallContext & Call; // it has every field of the facts, and the signal
}

/** The same call with some facts added or changed. Unlike a spread, it leaves the signal unmade until it is asked for. */
export function amendCall<C extends Partial<CallFacts & { readonly admission: Admission }>>(
  call: CallContext,
  changes: C,
  makeSignal: () => AbortSignal = () => call.signal,
): CallContext & C {
  return Object.assign(lazyCall(call, makeSignal), changes);
}
