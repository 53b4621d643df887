import type { code } from '@service-mcp/plugin-syntax/contract';
import type { CallResult } from './engine/call-result.js';
import type { Environment } from './engine/environment.js';
import type { CallArgument } from './instructions.js';
import type { Site } from './engine/site.js';
import type { Node } from './node.js';
import type { Class, Func, GenericParameter } from './declarations.js';
import type { Scope, Unit } from './program.js';

/**
 * Values of nodes. Equal values are one object. Functions and classes stand for themselves.
 */
export type Value =
  | Func
  | Class
  | GenericParameter
  | Instance
  | ModuleValue
  | External
  | Bound
  | PartialClass
  | Registrar
  | Namespace
  | Super
  | SelfType
  | Signature
  | Conversion;

/** An object of a class of the project or a builtin type. */
export interface Instance {
  readonly kind: 'instance';
  readonly class: Class;
  /** One for each generic parameter of the class, or none where they are unknown. */
  readonly arguments: readonly Node[];
  /** Made by a known constructor call or literal: it is not of a subclass. */
  readonly exact: boolean;
  /** Elements by key, of a literal. */
  readonly site: Site | undefined;
  /** The key that a string or number is, with the same value without it. */
  readonly constant?: { readonly key: string; readonly plain: Instance };
  /** May mention generic parameters of the code around it. */
  readonly open: boolean;
  /** Nesting of arguments. */
  readonly depth: number;
}

export interface ModuleValue {
  readonly kind: 'module';
  readonly units: readonly Unit[];
}

/** Something outside the project: a module, its members and whatever calling them gives. */
export interface External {
  readonly kind: 'external';
  readonly module: string;
  /** Empty for the module itself. */
  readonly name: string;
}

/** A method with the object it was read from, or a function with its first arguments. */
export interface Bound {
  readonly kind: 'bound';
  readonly function: Func;
  readonly receiver: Value | undefined;
  readonly given?: readonly CallArgument[];
}

/** A class that is called with these arguments first. */
export interface PartialClass {
  readonly kind: 'partial';
  readonly class: Class;
  readonly given: readonly CallArgument[];
}

/** Registers the function that it is called with. */
export interface Registrar {
  readonly kind: 'registrar';
  readonly function: Func;
}

/** The dictionary of the members of an object, class or module. */
export interface Namespace {
  readonly kind: 'namespace';
  readonly of: Value;
}

/** An object with the members that come after a class in the order of lookup: `super()`. */
export interface Super {
  readonly kind: 'super';
  readonly object: Instance | Class;
  readonly after: Class;
}

/** `this` as a type: whatever the method is called on. */
export interface SelfType {
  readonly kind: 'self';
  readonly class: Class;
}

/** A function type. */
export interface Signature {
  readonly kind: 'signature';
  readonly parameters: readonly Node[];
  readonly returns: Node | undefined;
  /** The types of the parameters as they are written, and where. */
  readonly written: { readonly types: readonly code.Type[]; readonly scope: Scope };
  /** What its generic parameters stand for. */
  readonly environment?: Environment;
}

/** The result of a call that the type decides which the code around it expects. */
export interface Conversion {
  readonly kind: 'conversion';
  readonly call: CallResult;
  /** Static member of the expected type that makes it. */
  readonly member: string;
  /** What it is made of. */
  readonly argument: Node | undefined;
  /** See `ConversionCall.isOwn`. */
  readonly isOwn: boolean;
  /** Receives the object. */
  readonly result: Node;
}

/** Names of externals keep their last parts only: chains of calls on externals have no end. */
const MAX_EXTERNAL_PARTS = 4;
/** Type arguments nested deeper are dropped. */
const MAX_DEPTH = 5;
const NONE: readonly Node[] = [];

/** Makes each distinct value once. */
export class Values {
  readonly #instances = new Map<Class, Map<string, Instance>>();
  readonly #constants = new Map<Instance, Map<string, Instance>>();
  readonly #modules = new Map<string, ModuleValue>();
  /** By module, by name. */
  readonly #externals = new Map<string, Map<string, External>>();
  readonly #externalMembers = new Map<External, Map<string, External>>();
  readonly #bound = new Map<Func, Map<Value, Bound>>();
  readonly #namespaces = new Map<Value, Namespace>();
  readonly #supers = new Map<Class, Map<Value, Super>>();
  readonly #selves = new Map<Class, SelfType>();
  readonly #nodeIds = new Map<Node, number>();

  instance(container: Class, args: readonly Node[], exact: boolean, open = false): Instance {
    let byKey = this.#instances.get(container);
    if (!byKey) this.#instances.set(container, (byKey = new Map()));
    const depth = args.length === 0 ? 1 : args.reduce((most, each) => Math.max(most, each.depth), 0) + 1;
    const kept = depth > MAX_DEPTH ? NONE : args;
    let key = exact ? '!' : '';
    if (kept.length > 0) key += `${open ? '?' : ''}${kept.map((each) => this.#idOf(each)).join(' ')}`;
    let found = byKey.get(key);
    if (!found) {
      found = {
        kind: 'instance',
        class: container,
        arguments: kept,
        exact,
        site: undefined,
        open: open && kept.length > 0,
        depth,
      };
      byKey.set(key, found);
    }
    return found;
  }

  /** A string or number that is known. */
  constant(plain: Instance, key: string): Instance {
    let byKey = this.#constants.get(plain);
    if (!byKey) this.#constants.set(plain, (byKey = new Map()));
    let found = byKey.get(key);
    if (!found) byKey.set(key, (found = { ...plain, constant: { key, plain } }));
    return found;
  }

  #idOf(node: Node): number {
    let id = this.#nodeIds.get(node);
    if (id === undefined) this.#nodeIds.set(node, (id = this.#nodeIds.size));
    return id;
  }

  module(units: readonly Unit[]): ModuleValue {
    const key = units.map((each) => each.path).join('\n');
    let found = this.#modules.get(key);
    if (!found) this.#modules.set(key, (found = { kind: 'module', units }));
    return found;
  }

  external(module: string, name: string): External {
    let byName = this.#externals.get(module);
    if (!byName) this.#externals.set(module, (byName = new Map()));
    let found = byName.get(name);
    if (found) return found;
    const parts = name.split('.');
    if (parts.length > MAX_EXTERNAL_PARTS)
      return this.external(module, parts.slice(-MAX_EXTERNAL_PARTS).join('.'));
    byName.set(name, (found = { kind: 'external', module, name }));
    return found;
  }

  member(of: External, name: string): External {
    let byName = this.#externalMembers.get(of);
    if (!byName) this.#externalMembers.set(of, (byName = new Map()));
    let found = byName.get(name);
    if (!found) {
      found = this.external(of.module, of.name === '' ? name : `${of.name}.${name}`);
      byName.set(name, found);
    }
    return found;
  }

  bound(func: Func, receiver: Value): Bound {
    let byReceiver = this.#bound.get(func);
    if (!byReceiver) this.#bound.set(func, (byReceiver = new Map()));
    let found = byReceiver.get(receiver);
    if (!found) byReceiver.set(receiver, (found = { kind: 'bound', function: func, receiver }));
    return found;
  }

  namespace(of: Value): Namespace {
    let found = this.#namespaces.get(of);
    if (!found) this.#namespaces.set(of, (found = { kind: 'namespace', of }));
    return found;
  }

  super(object: Instance | Class, after: Class): Super {
    let byObject = this.#supers.get(after);
    if (!byObject) this.#supers.set(after, (byObject = new Map()));
    let found = byObject.get(object);
    if (!found) byObject.set(object, (found = { kind: 'super', object, after }));
    return found;
  }

  self(container: Class): SelfType {
    let found = this.#selves.get(container);
    if (!found) this.#selves.set(container, (found = { kind: 'self', class: container }));
    return found;
  }
}

/** The function that a value calls with the arguments of the call. */
export function functionOf(value: Value): Func | undefined {
  if (value.kind === 'function') return value;
  return value.kind === 'bound' && !value.given ? value.function : undefined;
}
