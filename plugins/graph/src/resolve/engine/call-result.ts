import type { Reason } from '../../model.js';
import type { CallSite } from '../instructions.js';
import { Node } from '../node.js';
import type { Class, Func, GenericParameter } from '../program.js';
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

/** What is known of one call. */
export class CallResult {
  readonly site: CallSite;
  readonly targets = new Map<Func | Class, Evidence>();
  readonly externals = new Set<External>();
  /** Types that it converts a value to, where calling a type does that. */
  readonly conversions = new Set<Class>();
  /** Functions already linked, with their receivers. */
  readonly linked = new Map<Func | Class, Set<Value | undefined>>();
  /** Nodes of generic parameters that this call infers. */
  readonly inferred = new Map<GenericParameter, Node>();

  constructor(site: CallSite) {
    this.site = site;
  }

  /** Notes what it calls, with the best evidence. */
  target(target: Func | Class, evidence: Evidence): void {
    const known = this.targets.get(target);
    if (!known || RANKS[evidence.reason] > RANKS[known.reason]) this.targets.set(target, evidence);
  }

  inferredNode(generic: GenericParameter): Node {
    let node = this.inferred.get(generic);
    if (!node) this.inferred.set(generic, (node = new Node()));
    return node;
  }
}
