import type { code } from '@service-mcp/plugin-syntax/contract';
import { pathOf } from '../compile/name-chains.js';
import type { Func } from '../declarations.js';
import type { Node } from '../node.js';
import type { FixtureRules } from '../object-rules.js';
import type { Unit, Variable } from '../program.js';
import type { Engine } from './engine.js';

/**
 * Gives tests what the fixtures give that their parameters name: those of the class around, of the file, and of shared
 * files in the directories around it, the nearest first. Fixtures take others in the same way.
 */
export function passFixtures(engine: Engine, units: readonly Unit[]): void {
  const made = new Fixtures(engine, units);
  for (const unit of units) if (unit.rules.fixtures) made.pass(unit, unit.rules.fixtures);
}

class Fixtures {
  readonly #engine: Engine;
  /** By path, then name. */
  readonly #ofUnit = new Map<string, Map<string, Func[]>>();
  readonly #all = new Set<Func>();

  constructor(engine: Engine, units: readonly Unit[]) {
    this.#engine = engine;
    for (const { rules, path, functions } of units) {
      const { fixtures } = rules;
      if (!fixtures) continue;
      for (const func of functions) {
        const name = func.code.decorators && this.#nameOf(func, func.code.decorators, fixtures);
        if (name !== undefined) this.#add(path, name, func);
      }
    }
  }

  #add(path: string, name: string, func: Func): void {
    const own = this.#ofUnit.get(path) ?? new Map<string, Func[]>();
    this.#ofUnit.set(path, own);
    const named = own.get(name);
    if (named) named.push(func);
    else own.set(name, [func]);
    this.#all.add(func);
  }

  pass(unit: Unit, rules: FixtureRules): void {
    if (this.#all.size === 0) return;
    for (const func of unit.functions) {
      if (!this.#all.has(func) && !rules.isTest(func.name ?? '')) continue;
      const given = new Set(func.code.decorators?.flatMap(textsIn));
      for (const [index, { name, optional, node }] of func.parameters.entries()) {
        if (name === undefined || optional || given.has(name)) continue;
        const fixture = this.#find(name, func, rules);
        if (!fixture) continue;
        this.#engine.solver.copy(this.#result(fixture), node);
        const target = func.code.parameters[index]?.target;
        this.#use(func, fixture, target?.kind === 'name' ? target.line : func.code.line);
      }
    }
  }

  #use({ unit, symbol }: Func, fixture: Func, line: number): void {
    const binding = variableOf(fixture);
    if (symbol !== undefined && binding) unit.uses.push({ source: symbol + 1, line, binding, isWhole: true });
  }

  #find(name: string, func: Func, { shared }: FixtureRules): Func | undefined {
    const of = (path: string): readonly Func[] =>
      this.#ofUnit
        .get(path)
        ?.get(name)
        ?.filter((each) => each !== func) ?? [];
    const own = of(func.unit.path);
    const inClass = func.owner && own.find((each) => each.owner === func.owner);
    const found = inClass ?? own.find((each) => !each.owner);
    if (found) return found;
    const parts = func.unit.path.split('/').slice(0, -1);
    for (let count = parts.length; count >= 0; count -= 1) {
      const [nearest] = of([...parts.slice(0, count), shared].join('/'));
      if (nearest) return nearest;
    }
    return undefined;
  }

  /** What a fixture returns, or yields once. */
  #result(fixture: Func): Node {
    const { generator, async: isAsync } = fixture.code;
    if (generator) return fixture.yielded;
    return isAsync ? fixture.returned : this.#engine.types.result(fixture);
  }

  /** The name of the fixture that a decorator makes of a function. */
  #nameOf(func: Func, decorators: readonly code.Expression[], rules: FixtureRules): string | undefined {
    for (const each of decorators) {
      const path = pathOf(each.kind === 'call' ? each.callee : each);
      const target = path && this.#engine.typeNames.find(path, func.scope.parent ?? func.scope);
      if (target?.kind !== 'external' || !rules.makers.includes(`${target.module}.${target.name}`)) continue;
      const named =
        each.kind === 'call' ? each.arguments.find(({ name }) => name === 'name')?.value : undefined;
      return (named?.kind === 'literal' ? named.text : undefined) ?? func.name;
    }
    return undefined;
  }
}

function variableOf({ owner, name = '', scope }: Func): Variable | undefined {
  return owner ? owner.instanceMembers.get(name) : scope.parent?.names.get(name);
}

/** The names in the texts that a decorator is given: it gives those parameters itself. */
function textsIn(decorator: code.Expression): string[] {
  const given = decorator.kind === 'call' ? decorator.arguments : [];
  return given.flatMap(({ value }) => (value.kind === 'literal' ? (value.text ?? '').split(/[\s,]+/) : []));
}
