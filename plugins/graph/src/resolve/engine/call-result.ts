import type { Reason } from '../../model.js';
import type { CallSite } from '../instructions.js';
import { Node } from '../node.js';
import type { Class, Func, GenericParameter } from '../declarations.js';
import type { External, Value } from '../values.js';

export interface Evidence {
  readonly reason: Reason;
  /** Found on a value that may be of a subclass. */
  readonly open: boolean;
}

const RANKS: Readonly<Record<Reason, number>> = {
  unique_name: 0,
  hierarchy: 1,
  flow: 2,
  type: 3,
  scope: 4,
  import: 5,
};

const NONE: ReadonlySet<never> = new Set<never>();

/** What is known of one call. Most calls need few of the collections: they are made when they are needed. */
export class CallResult {
  readonly site: CallSite;
  readonly targets = new Map<Func | Class, Evidence>();
  #externals: Set<External> | undefined;
  #conversions: Set<Class> | undefined;
  #linked: Map<Func, Set<Value | undefined>> | undefined;
  #inferred: Map<GenericParameter, Node> | undefined;

  constructor(site: CallSite) {
    this.site = site;
  }

  get externals(): ReadonlySet<External> {
    return this.#externals ?? NONE;
  }

  addExternal(external: External): void {
    (this.#externals ??= new Set()).add(external);
  }

  /** Types that it converts a value to, where calling a type does that. */
  get conversions(): ReadonlySet<Class> {
    return this.#conversions ?? NONE;
  }

  addConversion(container: Class): void {
    (this.#conversions ??= new Set()).add(container);
  }

  /** Notes what it calls, with the best evidence. */
  target(target: Func | Class, evidence: Evidence): void {
    const known = this.targets.get(target);
    if (!known || RANKS[evidence.reason] > RANKS[known.reason]) this.targets.set(target, evidence);
  }

  /** True the first time that a function is linked with a receiver. */
  links(func: Func, receiver: Value | undefined): boolean {
    const receivers = this.#linked?.get(func);
    if (receivers?.has(receiver)) return false;
    if (receivers) receivers.add(receiver);
    else (this.#linked ??= new Map()).set(func, new Set([receiver]));
    return true;
  }

  /** The node of a generic parameter that this call infers. */
  inferredNode(generic: GenericParameter): Node {
    let node = this.#inferred?.get(generic);
    if (!node) (this.#inferred ??= new Map()).set(generic, (node = new Node()));
    return node;
  }
}
