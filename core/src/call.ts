import type { Admission, CallContext } from './caller.js';

/** Everything of a call but its signal. */
export type CallFacts = Omit<CallContext, 'signal'>;

/**
 * A call whose signal is made when it is first asked for: most calls end long before anybody would, and a signal
 * costs more than a trivial call. Its deadline is asked for each time, as it may move. Both are own properties all the
 * same, so that a spread carries them along.
 */
class Call {
  readonly #facts: CallFacts;
  readonly #makeSignal: () => AbortSignal;

  constructor(facts: CallFacts, makeSignal: () => AbortSignal) {
    this.#facts = facts;
    this.#makeSignal = makeSignal;
    const own = this as Record<string, unknown>; // filled here, with the fields of the facts
    for (const field in facts)
      if (field !== 'signal' && field !== 'deadline') own[field] = facts[field as keyof CallFacts];
    Object.defineProperties(this, Call.#live);
  }

  /** The same getters for all, so that all calls have one shape: getters of its own would make each a dictionary. */
  static readonly #live: PropertyDescriptorMap & ThisType<Call> = {
    deadline: {
      enumerable: true,
      get() {
        return this.#facts.deadline;
      },
    },
    signal: {
      enumerable: true,
      get() {
        return this.#makeSignal();
      },
    },
  };
}

/** A call whose signal `makeSignal` makes on demand; it is asked each time, and answers the same each time. */
export function lazyCall(facts: CallFacts, makeSignal: () => AbortSignal): CallContext {
  return new Call(facts, makeSignal) as CallContext & Call; // it has every field of the facts, and the signal
}

/** The same call with some facts added or changed. Unlike a spread, it leaves the signal unmade until it is asked for. */
export function amendCall<C extends Partial<Omit<CallFacts, 'deadline'> & { readonly admission: Admission }>>(
  call: CallContext,
  changes: C,
  makeSignal: () => AbortSignal = () => call.signal,
): CallContext & C {
  return Object.assign(lazyCall(call, makeSignal), changes);
}
