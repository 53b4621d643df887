import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Engine } from '../engine/engine.js';
import type { Class, Func } from '../declarations.js';
import type { Scope, Variable } from '../program.js';

/** Compares methods of interfaces with those of types that may implement them. */
export class Signatures {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** False where parameters or results are certain to differ; where types are not checked, where a call may fail. */
  match(wanted: Variable, own: Variable): boolean {
    const [method, candidate] = [functionOf(wanted), functionOf(own)];
    const { structuralInterfaces } = wanted.scope.unit.rules;
    if (structuralInterfaces === 'callable')
      return !method || !candidate || method.code.accessor !== undefined || this.#accepts(method, candidate);
    return method !== undefined && candidate !== undefined && this.#matchFunctions(method, candidate);
  }

  #matchFunctions(a: Func, b: Func): boolean {
    if (a.parameters.length !== b.parameters.length) return false;
    const results = [resultsOf(a), resultsOf(b)] as const;
    if (results[0].length !== results[1].length) return false;
    return (
      a.parameters.every(({ type }, index) =>
        this.#same(type, a.scope, b.parameters[index]?.type, b.scope),
      ) && results[0].every((type, index) => this.#same(type, a.scope, results[1][index], b.scope))
    );
  }

  /** True where a function may be called as another is. */
  #accepts(wanted: Func, own: Func): boolean {
    const left = own.parameters.filter(({ rest }) => !rest);
    const hasRest = own.parameters.some(({ rest }) => rest);
    const passesRest = wanted.parameters.some(({ rest }) => rest);
    for (const { name, rest, type, optional } of wanted.parameters) {
      if (rest) continue;
      const named = left.findIndex((each) => each.name === name);
      const [found] = left.splice(Math.max(named, 0), 1);
      if (!found && !hasRest) return false;
      if (found && optional && !found.optional) return false;
      if (found && !this.#related(type, wanted.scope, found.type, own.scope)) return false;
    }
    const { returns } = own.code;
    return (
      (passesRest || left.every(({ optional }) => optional)) &&
      this.#related(wanted.code.returns, wanted.scope, returns, own.scope)
    );
  }

  /** False for two classes of which neither is a subtype of the other. */
  #related(a: code.Type | undefined, aScope: Scope, b: code.Type | undefined, bScope: Scope): boolean {
    if (a?.kind === 'wrapper') return this.#related(a.of, aScope, b, bScope);
    if (b?.kind === 'wrapper') return this.#related(a, aScope, b.of, bScope);
    if (a?.kind !== 'named' || b?.kind !== 'named') return true;
    const { typeNames, classes } = this.#engine;
    const [first, second] = [typeNames.find(a.path, aScope), typeNames.find(b.path, bScope)];
    if (first?.kind !== 'class' || second?.kind !== 'class') return true;
    const [one, other] = [classes.canonical(first.class), classes.canonical(second.class)];
    const isBelow = (below: Class, above: Class) => above.name === 'object' || classes.isOf(below, above);
    return isBelow(one, other) || isBelow(other, one);
  }

  /** True where two types may be the same. */
  #same(a: code.Type | undefined, aScope: Scope, b: code.Type | undefined, bScope: Scope): boolean {
    if (!a || !b) return true;
    if (a.kind === 'named' && b.kind === 'named') {
      const { typeNames } = this.#engine;
      const [first, second] = [typeNames.find(a.path, aScope), typeNames.find(b.path, bScope)];
      if (first?.kind === 'class' && second?.kind === 'class') return first.class === second.class;
      if (first?.kind === 'external' && second?.kind === 'external') {
        return first.module === second.module && first.name === second.name;
      }
      const kinds = new Set([first?.kind, second?.kind]);
      return !(kinds.has('class') && kinds.has('external'));
    }
    if ((a.kind === 'wrapper' && b.kind === 'wrapper') || (a.kind === 'list' && b.kind === 'list')) {
      return this.#same(a.of, aScope, b.of, bScope);
    }
    // A name may be an alias of any type, a type parameter as well.
    return a.kind === b.kind || this.#isOpen(a, aScope) || this.#isOpen(b, bScope);
  }

  #isOpen(type: code.Type, scope: Scope): boolean {
    if (type.kind !== 'named') return type.kind === 'other';
    const target = this.#engine.typeNames.find(type.path, scope, type.arguments?.length ?? 0);
    return target?.kind !== 'class' && !(target?.kind === 'external' && target.module === '');
  }
}

function functionOf(variable: Variable): Func | undefined {
  const found = variable.declarations?.find((each) => each.kind === 'function');
  return found?.kind === 'function' ? found : undefined;
}

function resultsOf({ code }: Func): readonly code.Type[] {
  if (!code.returns) return [];
  return code.returns.kind === 'tuple' ? code.returns.of : [code.returns];
}
