import { nameKey } from '../compile/keys.js';
import type { CallArgument } from '../instructions.js';
import type { KeyedCall } from '../object-rules.js';
import { Node } from '../node.js';
import type { Class } from '../declarations.js';
import type { Instance, Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import type { Site } from './site.js';

/** What remains of a call for the declaration of the method: its arguments, and whether that gives the result. */
export interface Remainder {
  readonly arguments: readonly CallArgument[];
  readonly gives: boolean;
}

/** Calls of builtin collections whose elements have known keys: `d.get("a")`, `d.update(e)`, `list(a)`. */
export class KeyedCalls {
  readonly #engine: Engine;
  /** A call gives one copy, also of what it copied before. */
  readonly #copies = new Map<CallResult, Instance>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Links a call of a method of an object. Undefined for one without a rule. */
  method(call: CallResult, name: string, receiver: Value | undefined): Remainder | undefined {
    const rule = ruleOf(call, name);
    if (rule === undefined || receiver?.kind !== 'instance' || !receiver.site) return undefined;
    const { arguments: args } = call.site;
    switch (rule) {
      case 'read':
      case 'default':
        return this.#read(call, receiver, rule === 'default');
      case 'include':
        return { arguments: this.#include(call, receiver), gives: true };
      case 'append': {
        const [item] = args;
        if (item?.spread !== undefined) return undefined;
        if (item?.node) this.#engine.solver.copy(item.node, receiver.site.appended);
        return { arguments: [], gives: true };
      }
      case 'copy':
        this.#copy(call, receiver);
        return { arguments: [], gives: false };
      case 'shift':
        receiver.site.shift();
        return { arguments: args, gives: true };
    }
  }

  /** The arguments of a constructor, without a collection that it copies. */
  construction(call: CallResult, container: Class): readonly CallArgument[] {
    const { arguments: args } = call.site;
    const [only, another] = args;
    const isCopy = ruleOf(call, container.name ?? '') === 'copy';
    if (!isCopy || !only?.node || another || only.name !== undefined || only.spread) return args;
    const rest = new Node();
    this.#engine.solver.watch(only.node, (value) => {
      if (value.kind === 'instance' && isCopied(value, container)) this.#copy(call, value);
      else if (value.kind === 'instance' && value.site?.isSequence && container.generics.length > 1)
        this.#copyPairs(call, value.site, value);
      else this.#engine.solver.add(rest, value);
    });
    return [{ ...only, node: rest }];
  }

  #read(call: CallResult, receiver: Instance, stores: boolean): Remainder | undefined {
    const { containers, solver, undecided } = this.#engine;
    const { arguments: args, result } = call.site;
    const [key, other] = args;
    if (!key || args.some(({ name, spread }) => name !== undefined || spread)) return undefined;
    const at = key.node ?? new Node();
    undecided.withKey(at, (found) => {
      containers.load(receiver, found, result);
      if (stores && other?.node) containers.store(receiver, found, other.node);
    });
    if (stores) containers.storeKey(receiver, at);
    if (other?.node) solver.copy(other.node, result);
    return { arguments: [], gives: false };
  }

  /** Takes over the elements of collections with keys. Returns the arguments without them. */
  #include({ site: { arguments: args, unit } }: CallResult, receiver: Instance): readonly CallArgument[] {
    const { containers, solver } = this.#engine;
    return args.flatMap((argument) => {
      const { name, node, spread } = argument;
      if (!node || spread) return [argument];
      if (name !== undefined) {
        containers.store(receiver, nameKey(name, unit.rules), node);
        return [];
      }
      const rest = new Node();
      solver.watch(node, (value) => {
        if (value.kind === 'instance' && value.site && isDictionary(value))
          receiver.site?.include(value.site);
        else solver.add(rest, value);
      });
      return [{ ...argument, node: rest }];
    });
  }

  /** A dictionary of pairs of keys and values. */
  #copyPairs(call: CallResult, pairs: Site, { class: { unit }, open }: Instance): void {
    const { containers, solver, undecided } = this.#engine;
    const made = this.#copies.get(call) ?? containers.make('object', unit.rules, [], open);
    if (!made) return;
    this.#copies.set(call, made);
    solver.add(call.site.result, made);
    solver.watch(pairs.all, (pair) => {
      const [key, value] = [new Node(), new Node()];
      containers.load(pair, '0', key);
      containers.load(pair, '1', value);
      containers.storeKey(made, key);
      undecided.withKey(key, (found) => containers.store(made, found, value));
    });
  }

  #copy(call: CallResult, from: Instance): void {
    const { containers, solver } = this.#engine;
    const { site } = from;
    const made = this.#copies.get(call);
    if (!site || made === from) return;
    if (made?.site) {
      if (made.site.isSequence) made.site.includePart(site, 0, undefined, 0);
      else made.site.include(site);
      return;
    }
    const { rules } = from.class.unit;
    const first = site.isSequence
      ? containers.slice(from, 0, undefined)
      : containers.make('object', rules, [], from.open);
    if (first?.kind !== 'instance' || !first.site) return;
    this.#copies.set(call, first);
    if (!site.isSequence) first.site.include(site);
    solver.add(call.site.result, first);
  }
}

function ruleOf({ site }: CallResult, name: string): KeyedCall | undefined {
  const { keyedCalls } = site.unit.rules;
  return keyedCalls && Object.hasOwn(keyedCalls, name) ? keyedCalls[name] : undefined;
}

/** True for a collection whose elements have the same keys in one of the class. */
function isCopied(value: Instance, { generics }: Class): boolean {
  if (!value.site || isDictionary(value) !== generics.length > 1) return false;
  return value.site.isSequence || isDictionary(value);
}

/** True for a collection with keys and values. */
function isDictionary({ class: { generics } }: Instance): boolean {
  return generics.length > 1;
}
