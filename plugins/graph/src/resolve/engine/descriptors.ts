import { positional } from '../compile/keys.js';
import type { Origin } from '../instructions.js';
import { Node } from '../node.js';
import type { Unit, Variable } from '../program.js';
import type { Instance, Value } from '../values.js';
import type { Engine } from './engine.js';
import { addOperation, callProtocol } from './protocol.js';

/** Objects in classes that run code where the member is read or written: `__get__` and `__set__`, `property(read)`. */
export class Descriptors {
  readonly #engine: Engine;
  /** Names that the code assigns to members. */
  readonly #assigned = new Set<string>();
  #isUsed = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Finds out whether the project has any: without, members are read as they are. */
  note(units: readonly Unit[]): void {
    for (const unit of units) {
      const { bindsFunctions, propertyType, protocol = {} } = unit.rules;
      if (!bindsFunctions) continue;
      for (const name of unit.storedNames) this.#assigned.add(name);
      const names = new Set([protocol.getMember, protocol.setMember]);
      const calls = unit.names.some(({ name }) => name === propertyType);
      this.#isUsed ||= calls || unit.functions.some(({ owner, name }) => owner && names.has(name));
    }
  }

  /** True for a name that the code assigns to members of others than the object that a method is called on. */
  assigns(name: string): boolean {
    return this.#assigned.has(name);
  }

  /** True for a method that the code assigns to, on the class or on objects. */
  isAssigned({ name, scope, declarations }: Variable): boolean {
    return (
      scope.unit.rules.bindsFunctions === true &&
      this.assigns(name) &&
      declarations?.some(({ kind }) => kind === 'function') === true
    );
  }

  /** True for a member of a class that may be a descriptor. */
  mayHold(variable: Variable): boolean {
    const { scope, name, declarations, binds } = variable;
    if (!this.#isUsed || declarations || scope.kind !== 'class') return false;
    return binds !== undefined || scope.names.get(name) === variable;
  }

  /** Reads a member through its descriptor. False where the value is the member itself. */
  read(value: Value, object: Value, origin: Origin, to: Node): boolean {
    if (value.kind !== 'instance') return false;
    const accessors = this.#accessorsOf(value);
    if (accessors) {
      const [getter] = accessors;
      if (object.kind !== 'instance' || !getter) return false;
      this.#callWith(getter, object, [], origin, to);
      return true;
    }
    const { solver, classes } = this.#engine;
    const method = origin.unit.rules.protocol?.getMember;
    if (method === undefined || !classes.member(value.class, method, 'instance')) return false;
    const instance = new Node();
    const owner = new Node();
    if (object.kind === 'instance') solver.add(instance, object);
    if (object.kind === 'instance') solver.add(owner, object.class);
    else solver.add(owner, object);
    return callProtocol(this.#engine, value, method, origin, to, [positional(instance), positional(owner)]);
  }

  /** Writes a member of an object: to its descriptor where that takes values, else to where objects keep it. */
  store(variable: Variable, object: Instance, from: Node, stored: Node, origin: Origin): void {
    const { solver } = this.#engine;
    const method = origin.unit.rules.protocol?.setMember;
    solver.watch(variable.node, (value) => {
      if (value.kind !== 'instance') return;
      const setter = this.#accessorsOf(value)?.[1];
      if (setter) this.#callWith(setter, object, [from], origin, new Node());
      else {
        const instance = new Node();
        solver.add(instance, object);
        callProtocol(this.#engine, value, method, origin, new Node(), [
          positional(instance),
          positional(from),
        ]);
      }
    });
    solver.watch(from, (value) => {
      if (!this.#takesValues(variable, method)) solver.add(stored, value);
    });
  }

  #takesValues({ node }: Variable, method: string | undefined): boolean {
    const { classes } = this.#engine;
    return (node.values ?? []).some((each) => {
      if (each.kind !== 'instance') return false;
      if (this.#accessorsOf(each)) return true;
      return method !== undefined && classes.member(each.class, method, 'instance') !== null;
    });
  }

  /** The functions that a property was made with. */
  #accessorsOf({ class: container, arguments: accessors }: Instance): readonly Node[] | undefined {
    const isProperty =
      container.name === container.unit.rules.propertyType && this.#engine.builtins.isBuiltin(container);
    return isProperty ? accessors : undefined;
  }

  /** Calls functions on an object. */
  #callWith(functions: Node, object: Instance, args: readonly Node[], origin: Origin, to: Node): void {
    const { solver, calls, values } = this.#engine;
    const call = addOperation(
      this.#engine,
      origin,
      to,
      args.map((each) => positional(each)),
    );
    solver.watch(functions, (value) =>
      calls.call(call, value.kind === 'function' ? values.bound(value, object) : value, 'flow'),
    );
  }
}
