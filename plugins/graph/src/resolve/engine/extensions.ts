import type { LanguageRules } from '../language-rules.js';
import { Node } from '../node.js';
import type { Func } from '../declarations.js';
import type { Unit } from '../program.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';
import type { Environment } from './environment.js';

/** Functions that are called as if they were methods of their first parameter. */
export class Extensions {
  readonly #engine: Engine;
  readonly #byName = new Map<LanguageRules, Map<string, Func[]>>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  note(unit: Unit): void {
    for (const func of unit.functions) {
      if (!func.code.extension || func.name === undefined) continue;
      let names = this.#byName.get(unit.rules);
      if (!names) this.#byName.set(unit.rules, (names = new Map()));
      const known = names.get(func.name);
      if (known) known.push(func);
      else names.set(func.name, [func]);
    }
  }

  /** Those of a name whose first parameter takes a value that has no such member of its own. */
  find(value: Value, name: string, rules: LanguageRules): readonly Func[] {
    const named = this.#byName.get(rules)?.get(name);
    if (!named || value.kind === 'class' || value.kind === 'module') return [];
    const { classes, overloads } = this.#engine;
    if (value.kind === 'instance' && classes.member(value.class, name, 'instance')) return [];
    return named.filter(
      (func) => func.receiver?.type && overloads.takes(func.receiver.type, func.scope, value),
    );
  }

  /** Passes the object that one is called on. */
  receive({ receiver, scope }: Func, value: Value, environment: Environment | undefined): void {
    const { solver, infer } = this.#engine;
    const node = new Node();
    solver.add(node, value);
    if (receiver?.type) infer.match(receiver.type, scope, node, environment);
    if (receiver) solver.copy(node, receiver.node);
  }
}
