import { positional } from '../compile/keys.js';
import type { Class } from '../declarations.js';
import type { Origin } from '../instructions.js';
import { Node } from '../node.js';
import type { Unit } from '../program.js';
import type { Engine } from './engine.js';
import { addOperation, callProtocol } from './protocol.js';

/** Calls that a class statement makes: `__init_subclass__` of its supertypes, `__set_name__` of the objects it holds. */
export class ClassCreation {
  readonly #engine: Engine;
  readonly #classes: Class[] = [];
  /** Names of methods that the project has. */
  readonly #names = new Set<string>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  note(units: readonly Unit[]): void {
    for (const { rules, functions, classes } of units) {
      const { creation } = rules;
      if (!creation) continue;
      for (const each of classes) this.#classes.push(each);
      for (const { owner, name } of functions)
        if (owner && (name === creation.subclass || name === creation.member)) this.#names.add(name);
    }
  }

  /** Makes the calls, once it is known what classes hold. */
  settle(): void {
    if (this.#names.size > 0) for (const each of this.#classes) this.#create(each);
    this.#classes.length = 0;
  }

  #create(container: Class): void {
    const { classes, builtins, linking } = this.#engine;
    const { unit, scope, around: source, code } = container;
    const { subclass = '', member = '' } = unit.rules.creation ?? {};
    const origin: Origin = { unit, scope: scope.parent ?? scope, source, line: code.line };
    if (this.#names.has(subclass)) {
      const found = classes.member(container, subclass, 'static', container);
      const func = found?.variable.declarations?.findLast((each) => each.kind === 'function');
      if (found && func?.kind === 'function' && !builtins.isBuiltin(found.owner)) {
        const call = addOperation(this.#engine, origin, new Node(), []);
        linking.link(call, [func], container, { reason: 'type', open: false });
      }
    }
    if (!this.#names.has(member)) return;
    const owner = new Node();
    this.#engine.solver.add(owner, container);
    const args = [positional(owner), positional(undefined)];
    for (const { node } of scope.names.values())
      for (const value of node.values ?? [])
        callProtocol(this.#engine, value, member, origin, new Node(), args);
  }
}
