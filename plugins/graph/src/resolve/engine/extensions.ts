import type { LanguageRules } from '../language-rules.js';
import { Node } from '../node.js';
import type { Func } from '../declarations.js';
import type { Scope, Unit } from '../program.js';
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

  /** Those of a name that code in a scope sees and whose first parameter takes a value that has no such member of its own. */
  find(value: Value, name: string, from: Scope): readonly Func[] {
    const named = this.#byName.get(from.unit.rules)?.get(name);
    if (!named || value.kind === 'class' || value.kind === 'module') return [];
    const { classes, overloads } = this.#engine;
    if (value.kind === 'instance' && classes.member(value.class, name, 'instance')) return [];
    const taking = named.filter(
      (func) => func.receiver?.type && overloads.takes(func.receiver.type, func.scope, value),
    );
    return taking.length > 1 ? this.#nearest(taking, from) : taking;
  }

  /** Those of the nearest namespace around the code, else those that it imports; all where it seems to see none. */
  #nearest(functions: readonly Func[], from: Scope): readonly Func[] {
    const around = namespacesAround(from);
    const named = around.map((name) => functions.filter(({ scope }) => namespacesAround(scope)[0] === name));
    const own = named.slice(0, -1).find((each) => each.length > 0);
    if (own) return own;
    const imported = new Set(this.#importedNames(from, around));
    const seen = functions.filter(({ scope, owner }) => {
      const [namespace = ''] = namespacesAround(scope);
      return namespace === '' || imported.has(namespace) || imported.has(`${namespace}.${owner?.name ?? ''}`);
    });
    return seen.length > 0 ? seen : functions;
  }

  /** Namespaces, and types whose static members are imported, by all names that an import may mean. */
  #importedNames(from: Scope, around: readonly string[]): string[] {
    return this.#engine.bindings.wildcards
      .around(from)
      .flatMap(({ statement: { module } }) =>
        around.map((outer) => (outer === '' ? module : `${outer}.${module}`)),
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

/** The names of the namespaces around a scope, the innermost first; the last is `''`. */
function namespacesAround(from: Scope): readonly string[] {
  const names: string[] = [];
  for (let scope: Scope | null = from; scope; scope = scope.parent)
    if (scope.class?.code.form === 'namespace') names.unshift(scope.class.name ?? '');
  const path = [...(from.unit.packageName?.split('.') ?? []), ...names];
  return [...path.keys(), path.length].reverse().map((length) => path.slice(0, length).join('.'));
}
