import type { code } from '@service-mcp/plugin-syntax/contract';
import { pathOf } from '../compile/name-chains.js';
import { Class, type Func, type Supertype } from '../declarations.js';
import { Node } from '../node.js';
import { Scope, type Unit, type Variable } from '../program.js';
import type { External } from '../values.js';
import type { Engine } from './engine.js';
import type { FoundMember } from './class-table.js';

/** Mixins of mixins are followed this far. */
const MAX_NESTING = 20;

/**
 * Gives classes the supertypes that functions make: `class A extends Named(Base)`. Such a function returns a class that
 * extends its parameter, so that each call makes another class. They are known before values flow, as those of other classes.
 */
export class Mixins {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  apply(unit: Unit): void {
    if (!unit.rules.functionObjects && !unit.rules.bindsFunctions) return;
    for (const { supertypes } of unit.classes) {
      const made = supertypes.flatMap(({ type, call, scope }) => {
        const named = unit.rules.functionObjects ? this.#initialOf(type, scope) : undefined;
        const initial = call ? { call, scope } : named;
        return initial ? this.#made(initial.call, initial.scope).map((each) => supertype(each, scope)) : [];
      });
      supertypes.push(...made);
    }
    for (const variable of unit.scope.names.values()) {
      const made = variable.initial ? this.#made(variable.initial, unit.scope) : [];
      if (made.length > 0) this.#engine.solver.add(variable.node, classOf(variable, unit, made));
    }
  }

  /** The call that initializes the variable which a type names. */
  #initialOf(type: code.Type, scope: Scope): { readonly call: code.Call; readonly scope: Scope } | undefined {
    const variable = type.kind === 'named' ? this.#variable(type.path, scope) : undefined;
    return variable?.initial && { call: variable.initial, scope: variable.scope };
  }

  #variable(path: readonly string[], scope: Scope): Variable | undefined {
    const found = this.#engine.typeNames.find(path, scope);
    return found?.kind === 'variable' ? found.variable : undefined;
  }

  /** The class that a call makes, then what it extends. */
  #made(call: code.Call, scope: Scope, nesting = 0): Array<Class | External> {
    const path = pathOf(call.callee);
    if (!path || nesting > MAX_NESTING) return [];
    const found = this.#engine.typeNames.find(path, scope);
    if (found?.kind === 'external') return [this.#engine.values.external(found.module, found.name)];
    const func = found?.kind === 'variable' ? functionOf(found.variable) : undefined;
    const container = func?.returnedClass;
    if (!func || !container) return [];
    const index = func.parameters.findIndex(
      ({ name }) => name !== undefined && container.supertypes.some((each) => mentions(each, name)),
    );
    const base = call.arguments[index]?.value;
    return [container, ...(base ? this.#base(base, scope, nesting) : [])];
  }

  #base(expression: code.Expression, scope: Scope, nesting: number): Array<Class | External> {
    if (expression.kind === 'cast') return this.#base(expression.value, scope, nesting);
    if (expression.kind === 'call') return this.#made(expression, scope, nesting + 1);
    const path = pathOf(expression);
    const found = path && this.#engine.typeNames.find(path, scope);
    if (found?.kind === 'class') return [found.class];
    if (found?.kind === 'external') return [this.#engine.values.external(found.module, found.name)];
    const initial = found?.kind === 'variable' ? found.variable : undefined;
    return initial?.initial ? this.#made(initial.initial, initial.scope, nesting + 1) : [];
  }
}

function supertype(of: Class | External, scope: Scope): Supertype {
  const value = new Node();
  value.held = of;
  return { relation: 'extends', type: { kind: 'other' }, value, scope };
}

/** The class of a variable: `const A = Named(Base)`. */
function classOf({ name }: Variable, unit: Unit, made: ReadonlyArray<Class | External>): Class {
  const scope = new Scope('class', unit.scope, unit);
  const container = new Class({ name, form: 'class', start: 0, line: 0 }, unit, scope, 0, 0);
  container.supertypes.push(...made.map((each) => supertype(each, unit.scope)));
  return container;
}

function functionOf(variable: Variable): Func | undefined {
  const found = variable.declarations?.findLast((each) => each.kind === 'function');
  return found?.kind === 'function' ? found : undefined;
}

/** True where a supertype is a name, or a call that is given it. */
function mentions({ type, call }: Pick<Supertype, 'type' | 'call'>, name: string): boolean {
  if (call) return call.arguments.some(({ value }) => namesIn(value, name));
  return type.kind === 'named' && type.path.length === 1 && type.path[0] === name;
}

function namesIn(expression: code.Expression, name: string): boolean {
  if (expression.kind === 'cast') return namesIn(expression.value, name);
  if (expression.kind === 'call') return expression.arguments.some(({ value }) => namesIn(value, name));
  return expression.kind === 'name' && expression.name === name;
}

/** A member that a type lends to the class itself. `mixed`: to what mixes the class in. */
export function lentMember(
  { typeNames, classes }: Engine,
  container: Class,
  name: string,
  mixed: boolean,
): FoundMember | null {
  for (const each of container.supertypes) {
    if (!each.static || (each.passed && !mixed)) continue;
    const lender = typeNames.classNamed(each.type, each.scope);
    const found = lender && classes.member(lender, name, 'instance');
    if (found) return found;
  }
  return null;
}
