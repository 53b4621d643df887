import { positional } from '../compile/keys.js';
import type { Class, Func } from '../declarations.js';
import type { Origin } from '../instructions.js';
import { Node } from '../node.js';
import type { Unit } from '../program.js';
import type { External, Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import { addOperation, callProtocol } from './protocol.js';

/**
 * Calls that a class statement makes: `__init_subclass__` of its supertypes, `__set_name__` of the objects it holds,
 * `__new__` and `__init__` of its metaclass.
 */
export class ClassCreation {
  readonly #engine: Engine;
  readonly #classes: Class[] = [];
  /** Names of methods that the project has. */
  readonly #names = new Set<string>();
  /** Classes that a metaclass makes. */
  readonly #made = new Map<Class, Node>();
  #hasMetaclasses = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  note(units: readonly Unit[]): void {
    for (const { rules, functions, classes } of units) {
      const { creation } = rules;
      if (!creation) continue;
      for (const each of classes) {
        this.#classes.push(each);
        this.#hasMetaclasses ||= each.code.metaclass !== undefined;
      }
      for (const { owner, name } of functions)
        if (owner && (name === creation.subclass || name === creation.member)) this.#names.add(name);
    }
  }

  /** Makes the calls. */
  install(): void {
    if (this.#names.size > 0 || this.#hasMetaclasses) for (const each of this.#classes) this.#create(each);
    this.#classes.length = 0;
  }

  /** The class of a class, where the project has any. */
  metaclass(container: Class): Class | undefined {
    if (!this.#hasMetaclasses) return undefined;
    const { classes, typeNames, builtins } = this.#engine;
    for (const { class: ancestor } of classes.ancestors(container)) {
      const { metaclass } = ancestor.code;
      if (!metaclass) continue;
      const found = typeNames.classNamed(metaclass, ancestor.scope.parent ?? ancestor.scope);
      return found && !builtins.isBuiltin(found) ? found : undefined;
    }
    return undefined;
  }

  /** Links a call of a class to the member of its metaclass by which objects are called. False where it has none. */
  callClass(call: CallResult, container: Class): boolean {
    const { callMember } = call.site.unit.rules;
    const func = callMember === undefined ? undefined : this.method(container, callMember);
    if (func) this.#engine.linking.link(call, [func], container, { reason: 'type', open: false });
    return func !== undefined;
  }

  /** The function that a class has as an object of its metaclass. */
  method(container: Class, name: string): Func | undefined {
    const metaclass = this.metaclass(container);
    return metaclass && this.#method(metaclass, name);
  }

  /**
   * What a member of the builtin metaclass does that a metaclass of the project calls: it makes a class, or an object of
   * one. `receiver`: the class that it is called on. False for other members.
   */
  callRoot(call: CallResult, external: External, receiver: Value): boolean {
    const { rules } = call.site.unit;
    const root = rules.creation?.root;
    if (!this.#hasMetaclasses || root === undefined || external.module !== '') return false;
    if (external.name === `${root}.${rules.callMember ?? ''}` && receiver.kind === 'class') {
      this.#engine.construction.construct(call, receiver, 'flow');
      return true;
    }
    const owner = external.name === `${root}.${rules.maker ?? ''}` ? ownerOf(call.site.scope) : undefined;
    if (owner) this.#engine.solver.copy(this.#madeBy(owner), call.site.result);
    return owner !== undefined;
  }

  #create(container: Class): void {
    const { classes, builtins, linking, solver } = this.#engine;
    const { unit, scope, around: source, code } = container;
    const { creation } = unit.rules;
    if (!creation) return;
    const origin: Origin = { unit, scope: scope.parent ?? scope, source, line: code.line };
    const metaclass = this.metaclass(container);
    if (metaclass) {
      for (const { class: each } of classes.ancestors(metaclass)) solver.add(this.#madeBy(each), container);
      for (const name of creation.metaclass) {
        const func = this.#method(metaclass, name);
        if (!func) continue;
        const args = func.parameters.filter(({ rest }) => !rest).map(() => positional(undefined));
        const call = addOperation(this.#engine, origin, new Node(), args);
        linking.link(call, [func], func.code.static ? metaclass : container, { reason: 'type', open: false });
      }
    }
    if (this.#names.has(creation.subclass)) {
      const found = classes.member(container, creation.subclass, 'static', container);
      const func = found?.variable.declarations?.findLast((each) => each.kind === 'function');
      if (found && func?.kind === 'function' && !builtins.isBuiltin(found.owner)) {
        const call = addOperation(this.#engine, origin, new Node(), []);
        linking.link(call, [func], container, { reason: 'type', open: false });
      }
    }
    if (!this.#names.has(creation.member)) return;
    const owner = new Node();
    solver.add(owner, container);
    const args = [positional(owner), positional(undefined)];
    for (const { node } of scope.names.values())
      solver.watch(node, (value) => {
        callProtocol(this.#engine, value, creation.member, origin, new Node(), args);
      });
  }

  /** A method of the project that a metaclass has. */
  #method(metaclass: Class, name: string): Func | undefined {
    const { classes, builtins } = this.#engine;
    const found = classes.member(metaclass, name, 'instance');
    if (!found || builtins.isBuiltin(found.owner)) return undefined;
    const func = found.variable.declarations?.findLast((each) => each.kind === 'function');
    return func?.kind === 'function' ? func : undefined;
  }

  #madeBy(metaclass: Class): Node {
    let node = this.#made.get(metaclass);
    if (!node) this.#made.set(metaclass, (node = new Node()));
    return node;
  }
}

/** The class of the method around a place. */
function ownerOf(from: Origin['scope']): Class | undefined {
  for (let scope: Origin['scope'] | null = from; scope; scope = scope.parent)
    if (scope.function?.owner) return scope.function.owner;
  return undefined;
}
