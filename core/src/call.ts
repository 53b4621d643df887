import type { Admission, CallContext, Notice, Progress, Remark } from './caller.js';

/** Everything of a call but its signal. */
export type CallFacts = Omit<CallContext, 'signal'>;

/**
 * A call whose signal is made when it is first asked for: most calls end long before anybody would, and a signal
 * costs more than a trivial call. `signal` is an own property all the same, so that a spread carries it along.
 */
class Call implements CallContext {
  readonly caller: CallContext['caller'];
  readonly surface: CallContext['surface'];
  readonly requestId: string;
  readonly deadline: number;
  readonly selection: CallContext['selection'];
  readonly log: CallContext['log'];
  declare readonly signal: AbortSignal;
  declare readonly prolong?: (ms: number) => void;
  declare readonly session?: string;
  declare readonly answers?: Readonly<Record<string, unknown>>;
  declare readonly answersTo?: string;
  declare readonly progress?: (progress: Progress) => void;
  declare readonly notify?: (notice: Notice) => void;
  declare readonly admission?: Admission;
  declare readonly peer?: string;
  declare readonly idempotencyKey?: string;
  declare readonly remark?: (remark: Remark) => void;
  readonly #makeSignal: () => AbortSignal;

  constructor(facts: CallFacts & { readonly admission?: Admission }, makeSignal: () => AbortSignal) {
    this.caller = facts.caller;
    this.surface = facts.surface;
    this.requestId = facts.requestId;
    this.deadline = facts.deadline;
    this.selection = facts.selection;
    this.log = facts.log;
    this.#makeSignal = makeSignal;
    Object.defineProperty(this, 'signal', Call.#signal);
    if (facts.prolong !== undefined) this.prolong = facts.prolong;
    if (facts.session !== undefined) this.session = facts.session;
    if (facts.answers !== undefined) this.answers = facts.answers;
    if (facts.answersTo !== undefined) this.answersTo = facts.answersTo;
    if (facts.progress !== undefined) this.progress = facts.progress;
    if (facts.notify !== undefined) this.notify = facts.notify;
    if (facts.admission !== undefined) this.admission = facts.admission;
    if (facts.peer !== undefined) this.peer = facts.peer;
    if (facts.idempotencyKey !== undefined) this.idempotencyKey = facts.idempotencyKey;
    if (facts.remark !== undefined) this.remark = facts.remark;
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
  return new Call(facts, makeSignal);
}

/** The same call with some facts added or changed. Unlike a spread, it leaves the signal unmade until it is asked for. */
export function amendCall<C extends Partial<CallFacts & { readonly admission: Admission }>>(
  call: CallContext,
  changes: C,
  makeSignal: () => AbortSignal = () => call.signal,
): CallContext & C {
  return Object.assign(new Call(call, makeSignal), changes);
}
