import type { Receiver } from '../node.js';
import type { Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Calls } from './calls.js';

/** Role of the watched node in a call. */
export type CalleeRole = 'named' | 'object' | 'path' | 'constructed' | 'value';

/** Links a call to the values of its callee. */
export class CalleeWatcher implements Receiver {
  readonly #calls: Calls;
  readonly #call: CallResult;
  readonly #role: CalleeRole;

  constructor(calls: Calls, call: CallResult, role: CalleeRole) {
    this.#calls = calls;
    this.#call = call;
    this.#role = role;
  }

  receive(value: Value): void {
    this.#calls.receive(this.#call, this.#role, value);
  }
}
