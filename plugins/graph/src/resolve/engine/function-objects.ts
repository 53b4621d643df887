import type { Func } from '../declarations.js';
import { Node } from '../node.js';
import { Class } from '../declarations.js';
import { Scope } from '../program.js';
import type { Bound, Instance, Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import type { Access } from './member-access.js';
import type { Hit } from './hit.js';

/**
 * Functions as objects: they construct (`new F()`), lend what is stored in their prototype to what they construct, and are
 * called through members (`f.call(object)`).
 */
export class FunctionObjects {
  readonly #engine: Engine;
  readonly #classes = new Map<Func, Class>();
  /** Objects that are prototypes as a whole: `F.prototype = {…}`. */
  readonly #prototypes = new Map<Class, Node>();
  readonly #inherited = new Map<Class, Map<string, Node>>();
  /** Functions that were stored in objects of the project. */
  readonly #methods: Array<readonly [Func, Instance]> = [];

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The class of what a function constructs. */
  classOf(func: Func): Class {
    let found = this.#classes.get(func);
    if (!found) {
      const { unit, around, code } = func;
      const { start, line, name } = code;
      const scope = new Scope('class', func.scope.parent, unit);
      const declaration = { form: 'class' as const, start, line, ...(name !== undefined && { name }) };
      found = new Class(declaration, unit, scope, around, around);
      this.#classes.set(func, found);
      this.#prototypes.set(found, new Node());
    }
    return found;
  }

  /** The prototype as an object, if this name is its member. */
  prototype(value: Func | Class, name: string): Value | undefined {
    const { functionObjects } = value.unit.rules;
    if (!functionObjects || functionObjects.prototype !== name) return undefined;
    const { classes, values } = this.#engine;
    const container = value.kind === 'class' ? classes.canonical(value) : this.classOf(value);
    return values.instance(container, [], false);
  }

  /** Makes an object the prototype. False where the name is another. */
  setPrototype(func: Func, name: string, from: Node): boolean {
    if (func.unit.rules.functionObjects?.prototype !== name) return false;
    const { solver, values } = this.#engine;
    const container = this.classOf(func);
    const node = this.#prototypes.get(container);
    if (!node) return true;
    solver.copy(from, node);
    const own = values.instance(container, [], false);
    solver.watch(from, (value) => {
      const { site } = value.kind === 'instance' ? value : {};
      for (const [, method] of site?.named() ?? []) this.noteMethod(own, method);
    });
    return true;
  }

  /** A function in an object is called on it, if no call says otherwise. */
  noteMethod(object: Instance, { values = [] }: Pick<Node, 'values'>): void {
    for (const value of values)
      if (value.kind === 'function' && value.unit.rules.functionObjects && !value.owner && !value.code.arrow)
        this.#methods.push([value, object]);
  }

  /** Gives constructors and functions in objects their `this` where no call did. */
  settle(): void {
    const { solver, builtins, values } = this.#engine;
    for (const [func, container] of this.#classes)
      if (!func.thisNode.values) solver.add(func.thisNode, values.instance(container, [], false));
    const open = this.#methods.filter(([{ thisNode }]) =>
      (thisNode.values ?? []).every((each) => each.kind === 'instance' && builtins.isBuiltin(each.class)),
    );
    this.#methods.length = 0;
    for (const [func, object] of open) solver.add(func.thisNode, object);
  }

  /** Members of the objects that are prototypes. */
  inherited(container: Class, access: Access, into: (hit: Hit, to: Node) => void): Node | undefined {
    const prototype = this.#prototypes.get(container);
    if (!prototype) return undefined;
    let byName = this.#inherited.get(container);
    if (!byName) this.#inherited.set(container, (byName = new Map()));
    const known = byName.get(access.name);
    if (known) return known;
    const node = new Node();
    byName.set(access.name, node);
    this.#engine.solver.watch(prototype, (value) => {
      for (const hit of this.#engine.members.find(value, access)) into(hit, node);
    });
    return node;
  }

  /** Constructs an object with a function. */
  construct(call: CallResult, func: Func): Value {
    const made = this.#engine.values.instance(this.classOf(func), [], true);
    this.#engine.solver.add(call.site.result, made);
    return made;
  }

  /** Calls a function through one of its members. False where the name is another. */
  callThrough(call: CallResult, value: Func | Bound, name: string): boolean {
    const { solver, values, linking, builtins } = this.#engine;
    const func = value.kind === 'bound' ? value.function : value;
    const names = func.unit.rules.functionObjects;
    if (!names || (name !== names.call && name !== names.apply && name !== names.bind)) return false;
    const [object, ...others] = call.site.arguments;
    const [list] = others;
    const before = value.kind === 'bound' ? (value.given ?? []) : [];
    const args = name === names.apply ? (list ? [{ ...list, spread: 'list' as const }] : []) : others;
    const isBuiltin = func.owner !== undefined && builtins.isBuiltin(func.owner);
    let isPassed = false; // the arguments are the same for all objects
    const link = (receiver: Value | undefined): void => {
      if (receiver && isPassed && !isBuiltin) linking.receive(func, receiver);
      else if (name === names.bind) {
        call.addExternal(values.external('', name));
        const given = [...before, ...others];
        if (given.length > 0)
          solver.add(call.site.result, { kind: 'bound', function: func, receiver, given });
        else solver.add(call.site.result, receiver ? values.bound(func, receiver) : func);
      } else {
        isPassed = true;
        linking.through(call, func, receiver, [...before, ...args]);
      }
    };
    if (value.kind === 'bound') link(value.receiver);
    else {
      link(undefined);
      if (object?.node) solver.watch(object.node, link);
    }
    return true;
  }
}
