import type { Reason } from '../../model.js';
import type { CallSite } from '../instructions.js';
import { Node } from '../node.js';
import type { Variable } from '../program.js';
import type { Class, Func, GenericParameter } from '../declarations.js';
import type { External, Instance, Value } from '../values.js';

export interface Evidence {
  readonly reason: Reason;
  /** Found on a value that may be of a subclass. */
  readonly open: boolean;
  /** It is one of so many overloads that fit equally well. */
  readonly among?: number;
  /** It is one of several methods that may take the place of another. */
  readonly shared?: boolean;
}

/** The confidence in one of several overriders. */
export const ONE_OF_OVERRIDERS = 0.7;

const RANKS: Readonly<Record<Reason, number>> = {
  unique_name: 0,
  hierarchy: 1,
  flow: 2,
  type: 3,
  scope: 4,
  import: 5,
};

/** The confidence that evidence has at most: overloads that fit equally well are equally likely. */
export function chanceOf({ among = 1, shared }: Evidence): number {
  return Math.min(1 / among, shared ? ONE_OF_OVERRIDERS : 1);
}

function isBetter(a: Evidence, b: Evidence): boolean {
  const [one, other] = [a.among ?? 1, b.among ?? 1];
  return one === other ? RANKS[a.reason] > RANKS[b.reason] : one < other;
}

/** Target of a call, with the best evidence for it. */
export interface CallTarget {
  readonly target: Func | Class;
  evidence: Evidence;
}

export interface UsedType {
  readonly type: Class;
  readonly reason: Reason;
}

export interface InheritedMember {
  readonly class: Class;
  /** As methods are kept by. */
  readonly key: string;
}

/** A variable that a call names: `const save = debounce(write)`. */
export interface UsedVariable {
  readonly variable: Variable;
  readonly reason: Reason;
}

/** Facts about one call. Most calls need few of the collections, with one item each. */
export class CallResult {
  readonly site: CallSite;
  /** It gives its argument, and calls nothing. */
  isConversion = false;
  #targets: CallTarget[] | undefined;
  #externals: External[] | undefined;
  #types: UsedType[] | undefined;
  #inherited: InheritedMember[] | undefined;
  #variables: UsedVariable[] | undefined;
  /** Functions and objects that are called, each followed by its receiver. */
  #linked: Array<Value | undefined> | undefined;
  #inferred: Map<GenericParameter, Node> | undefined;
  /** Overloads of which it met one as a value. */
  #met: Map<readonly Func[], Reason> | undefined;

  constructor(site: CallSite) {
    this.site = site;
  }

  get targets(): readonly CallTarget[] {
    return this.#targets ?? [];
  }

  get externals(): readonly External[] {
    return this.#externals ?? [];
  }

  addExternal(external: External): void {
    if (!this.#externals) this.#externals = [external];
    else if (!this.#externals.includes(external)) this.#externals.push(external);
  }

  /** It calls none of the functions outside the project that its name alone could mean. */
  dropExternals(): void {
    this.#externals = undefined;
  }

  /** Types that it uses besides what it calls: one that it converts a value to, one whose constructor is inherited. */
  get types(): readonly UsedType[] {
    return this.#types ?? [];
  }

  addType(used: UsedType): void {
    if (!this.#types) this.#types = [used];
    else if (!this.#types.some(({ type }) => type === used.type)) this.#types.push(used);
  }

  /** Members that it calls on objects of classes which have them from outside the project. */
  get inherited(): readonly InheritedMember[] {
    return this.#inherited ?? [];
  }

  addInherited(member: InheritedMember): void {
    if (!this.#inherited) this.#inherited = [member];
    else if (!this.#inherited.some((each) => each.class === member.class)) this.#inherited.push(member);
  }

  /** Variables that it uses, whatever their values. */
  get variables(): readonly UsedVariable[] {
    return this.#variables ?? [];
  }

  use(used: UsedVariable): void {
    if (!isValue(used.variable)) return;
    if (!this.#variables) this.#variables = [used];
    else if (!this.#variables.some(({ variable }) => variable === used.variable)) this.#variables.push(used);
  }

  /** Notes what it calls, with the best evidence. */
  target(target: Func | Class, evidence: Evidence): void {
    const known = this.#targets?.find((each) => each.target === target);
    if (known) {
      if (isBetter(evidence, known.evidence)) known.evidence = evidence;
    } else if (this.#targets) this.#targets.push({ target, evidence });
    else this.#targets = [{ target, evidence }];
  }

  /** False for a value where its overloads were met before, of which arguments choose one: they are linked together. */
  meets({ overloads, unit }: Func, reason: Reason): boolean {
    if (!overloads || overloads.length < 2 || unit.rules.overloads !== 'arguments') return true;
    if (this.#met?.get(overloads) === reason) return false;
    (this.#met ??= new Map()).set(overloads, reason);
    return true;
  }

  /** True the first time that a function, or an object that is called, is linked with a receiver. */
  links(func: Func | Instance, receiver: Value | undefined): boolean {
    const linked = this.#linked;
    if (!linked) {
      this.#linked = [func, receiver];
      return true;
    }
    for (let at = 0; at < linked.length; at += 2)
      if (linked[at] === func && linked[at + 1] === receiver) return false;
    linked.push(func, receiver);
    return true;
  }

  /** The node of a generic parameter that this call infers. */
  inferredNode(generic: GenericParameter): Node {
    let node = this.#inferred?.get(generic);
    if (!node) (this.#inferred ??= new Map()).set(generic, (node = new Node()));
    return node;
  }
}

/**
 * True for a variable that is a symbol of its own, for a function or class that holds what its decorators returned, and for
 * an interface with a value of its name. Calls of others are edges to the function or class.
 */
function isValue({ scope, symbol, declarations }: Variable): boolean {
  if (symbol !== undefined && (!declarations || scope.unit.symbols[symbol]?.kind === 'variable')) return true;
  return declarations?.some((each) => each.kind === 'class' && each.code.form === 'interface') === true;
}
